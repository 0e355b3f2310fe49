#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "allocation_counter.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/progress.hpp"
#include "cases/bench_cases.hpp"
#include "shared/table.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 20;             // interleaved, so that a disturbance affects all cases alike
constexpr double kRoundSeconds = 0.05;  // time per case and round
constexpr std::size_t kMostSamples = 20000;
constexpr int kRoundsPerClip = 4;  // of cases that solve many frames in a call, in one round of so many

struct BenchResult {
  std::string name;
  double p50_us = 0.0;
  double p99_us = 0.0, p999_us = 0.0, max_us = 0.0;
  std::int64_t allocations = 0;  ///< largest number in one call
};

struct Samples {
  std::vector<double> us;
  std::int64_t allocations = 0;
};

void measure_round(const BenchCase& bench_case, Samples& samples) {
  const bool is_clip = bench_case.frames > 1;                 // long: it warms itself up
  for (int i = 0; i < 3 && !is_clip; ++i) bench_case.call();  // warm up caches and branch predictors
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kRoundSeconds));
  const std::size_t enough = samples.us.size() + kMostSamples / kRounds;
  while (samples.us.size() < enough && Clock::now() < end) {
    const std::int64_t allocations_before = num_allocations();
    const Clock::time_point start = Clock::now();
    bench_case.call();
    const Clock::time_point stop = Clock::now();
    samples.allocations = std::max(samples.allocations, num_allocations() - allocations_before);
    samples.us.push_back(std::chrono::duration<double, std::micro>(stop - start).count() / bench_case.frames);
  }
}

std::vector<BenchResult> measure(const std::vector<BenchCase>& cases) {
  std::vector<Samples> samples(cases.size());
  for (Samples& of_case : samples) of_case.us.reserve(kMostSamples + kRounds);
  Progress progress("bench", kRounds);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      check_interrupt();
      if (cases[i].frames > 1 && round % kRoundsPerClip != 0) continue;
      measure_round(cases[i], samples[i]);
    }
    progress.update(round + 1);
  }
  std::vector<BenchResult> results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<double>& us = samples[i].us;
    std::ranges::sort(us);
    results.push_back({cases[i].name, us[us.size() / 2], us[us.size() * 99 / 100], us[us.size() * 999 / 1000],
                       us.back(), samples[i].allocations});
  }
  return results;
}

int bench_command(const std::string& filter, bool json) {
  std::vector<BenchCase> cases = bench_cases();
  std::vector<std::string> names;
  for (const BenchCase& bench_case : cases) names.push_back(bench_case.name);
  std::erase_if(cases,
                [&filter](const BenchCase& bench_case) { return bench_case.name.find(filter) == std::string::npos; });
  if (cases.empty()) throw UnknownName("benchmark", filter, "`aplomb bench`", names);
  const std::vector<BenchResult> results = measure(cases);
  if (json) {
    nlohmann::ordered_json document = {{"results", nlohmann::ordered_json::array()}};
    for (const BenchResult& result : results) {
      document["results"].push_back({{"name", result.name},
                                     {"p50_us", result.p50_us},
                                     {"p99_us", result.p99_us},
                                     {"p999_us", result.p999_us},
                                     {"max_us", result.max_us},
                                     {"allocations", result.allocations}});
    }
    print(document.dump(2) + "\n");
    return kSuccess;
  }
  std::vector<std::vector<std::string>> rows;
  for (const BenchResult& result : results) {
    rows.push_back({result.name, fmt::format("{:.2f}", result.p50_us), fmt::format("{:.2f}", result.p99_us),
                    fmt::format("{:.2f}", result.p999_us), fmt::format("{:.2f}", result.max_us),
                    fmt::format("{}", result.allocations)});
  }
  print(aligned_table({"name", "median us", "p99 us", "p99.9 us", "max us", "allocations"}, rows));
  return kSuccess;
}

}  // namespace

Action add_bench(CLI::App& program) {
  struct Options {
    std::string filter;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "bench", "Time every controller and solver on this machine.",
               "Prints median, 99th and 99.9th percentile, maximum and heap allocations of one call. The cases\n"
               "are interleaved in one process, so that a disturbance of the machine affects all of them alike.\n\n"
               "  aplomb bench\n"
               "  aplomb bench --filter terms --json");
  verb->add_option("--filter", options->filter, "only cases whose name contains this text")->type_name("TEXT");
  verb->add_flag("--json", options->json, "print as JSON");
  return [options] { return bench_command(options->filter, options->json); };
}

}  // namespace aplomb
