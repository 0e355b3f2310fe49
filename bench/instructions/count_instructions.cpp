// Runs every case of `aplomb bench` under callgrind, for scripts/instruction-counts:
//   valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=FILE count_instructions
// leaves one FILE.n per case, with "NAME CALLS" as its trigger. Counts, unlike times, do not depend on the load of the
// machine.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <string>

#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

constexpr int kCalls = 300;    // number of problems of the solvers' cases
constexpr int kFewCalls = 3;   // for cases that take longer than kLong
constexpr double kLong = 0.1;  // [s] per call under valgrind

/// Processor time of one call; on a busy machine the elapsed time would make a short case look long.
double seconds(const BenchCase& bench_case) {
  const std::clock_t start = std::clock();
  bench_case.call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// A case of many frames: counted in one call, per frame.
void count_once(const BenchCase& bench_case) {
  const std::string trigger = bench_case.name + " " + std::to_string(bench_case.frames);
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  bench_case.call();
  CALLGRIND_DUMP_STATS_AT(trigger.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}

void count(const BenchCase& bench_case) {
  if (bench_case.frames > 1) {
    count_once(bench_case);
    return;
  }
  // Not the first call: valgrind translates all code of a case anew, in 0.14 s where the call takes a millisecond.
  bench_case.call();
  const int calls = seconds(bench_case) > kLong ? kFewCalls : kCalls;
  for (int i = 2; i < calls; ++i) bench_case.call();  // so that warm starts have a previous solution
  const std::string trigger = bench_case.name + " " + std::to_string(calls);  // valgrind reads it late
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < calls; ++i) bench_case.call();
  CALLGRIND_DUMP_STATS_AT(trigger.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}

}  // namespace
}  // namespace aplomb

int main() try {
  for (const aplomb::BenchCase& bench_case : aplomb::bench_cases()) aplomb::count(bench_case);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "count_instructions: error: %s\n", error.what());
  return 2;
}
