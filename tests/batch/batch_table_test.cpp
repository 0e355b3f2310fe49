#include "aplomb/batch/batch_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

using Rule = Check::Rule;

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Table : public ::testing::Test {
 protected:
  BatchJob job(int seed) const {
    const std::string digits = fmt::format("{:04}", seed);
    return {.command = {"run", "stand", "--set", fmt::format("seed={}", seed)},
            .keeps_files = false,
            .key = std::string(28, 'a') + digits};
  }

  void list(int count) const {
    std::ofstream index(folder_.index());
    for (int seed = 1; seed <= count; ++seed) index << to_line(job(seed)) << "\n";
  }

  void write(int seed, double error_m) const {
    BatchRecord record{
        .command = job(seed).command, .outcome = {}, .error = {}, .inputs = {}, .metrics = {}, .checks = {}};
    record.metrics.set("com_error_max_m", error_m);
    record.checks.push_back(judge({"com_error_max_m", Rule::below, 0.005}, record.metrics));
    record.outcome = record.checks.front().ok ? "pass" : "fail";
    folder_.write(job(seed).key, record);
  }

  test::TemporaryFolder scratch_;
  const BatchFolder folder_ = BatchFolder::begin(scratch_.path() / "out");
};

TEST_F(Table, HasARowForEveryJobInTheManifestsOrder) {
  list(4);
  write(3, 0.004);
  write(1, 0.006);
  folder_.write(job(2).key, {.command = job(2).command,
                             .outcome = "error",
                             .error = "no robot, \"x\"",
                             .inputs = {},
                             .metrics = {},
                             .checks = {}});
  const BatchTable table(folder_);
  table.write_csv();
  EXPECT_EQ(text_of(folder_.path() / "jobs.csv"),
            fmt::format("job,verb,input,set.seed,key,outcome,worst_check,worst_margin,error,com_error_max_m\n"
                        "1,run,stand,1,{0}0001,fail,com_error_max_m,-0.2,,0.006\n"
                        "2,run,stand,2,{0}0002,error,,,\"no robot, \"\"x\"\"\",\n"
                        "3,run,stand,3,{0}0003,pass,com_error_max_m,0.2,,0.004\n"
                        "4,run,stand,4,{0}0004,not_done,,,,\n",
                        std::string(28, 'a')));
  const Result result = table.result();
  for (const char* metric : {"jobs_passed", "jobs_failed", "jobs_with_error", "jobs_not_done"}) {
    EXPECT_EQ(result.metrics.number(metric), 1.0) << metric;
  }
  EXPECT_EQ(result.verdict(), "fail");
}

TEST_F(Table, TheWorstTenAreThoseNearestToTheirBoundsOrBeyond) {
  list(30);
  for (int seed = 1; seed <= 30; ++seed) write(seed, 1e-4 * ((seed * 7) % 30 + 1));
  const BatchTable table(folder_);
  ASSERT_EQ(table.worst().size(), kNumWorst);
  double last = -1.0;
  for (const BatchTable::Job& worst : table.worst()) {
    EXPECT_GE(worst.check.margin, last);
    last = worst.check.margin;
    const int seed = static_cast<int>(worst.number);
    EXPECT_GE((seed * 7) % 30 + 1, 21);  // the ten largest errors
  }
}

}  // namespace
}  // namespace aplomb
