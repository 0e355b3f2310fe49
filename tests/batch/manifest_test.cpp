#include "aplomb/batch/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

class Manifest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return folder_.path() / name;
  }

  std::vector<std::string> commands(const std::string& name, const std::string& text) const {
    std::vector<std::string> found;
    for_each_job(write(name, text),
                 [&](const ManifestJob& job) { found.push_back(fmt::format("{}", fmt::join(job.command, " "))); });
    return found;
  }

  std::string refusal(const std::string& name, const std::string& text) const {
    return error_of([&] { commands(name, text); });
  }

  test::TemporaryFolder folder_;
};

TEST_F(Manifest, AnEntryIsOneJobForEveryCombinationAndSeed) {
  EXPECT_EQ(
      commands("jobs.yaml",
               "jobs:\n"
               "  - run: stand_coman\n"
               "    seeds: [3, 4]\n"
               "    set: {duration_s: 0.1}\n"
               "    grid: {world.floor.friction: [0.3, 0.5]}\n"
               "  - retarget: [a.c3d, b.c3d]\n"
               "    robot: [g1, coman]\n"
               "    force: true\n"),
      (std::vector<std::string>{"run stand_coman --set duration_s=0.1 --set world.floor.friction=0.3 --set seed=3",
                                "run stand_coman --set duration_s=0.1 --set world.floor.friction=0.3 --set seed=4",
                                "run stand_coman --set duration_s=0.1 --set world.floor.friction=0.5 --set seed=3",
                                "run stand_coman --set duration_s=0.1 --set world.floor.friction=0.5 --set seed=4",
                                "retarget a.c3d --robot g1 --force", "retarget a.c3d --robot coman --force",
                                "retarget b.c3d --robot g1 --force", "retarget b.c3d --robot coman --force"}));
}

TEST_F(Manifest, AValueOfAScenarioMayBeAListOrAMap) {
  const auto found = commands("jobs.yaml",
                              "jobs:\n- run: stand_coman\n"
                              "  set: {'events.0.push.force_n': [0, 40, 0]}\n"
                              "  grid: {plan: [{rise: 1}, {rise: 2}]}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], "run stand_coman --set events.0.push.force_n=[0, 40, 0] --set plan={rise: 2}");
}

TEST_F(Manifest, PatternsNameFilesInOrder) {
  for (const char* name : {"b.c3d", "a.c3d", "c.trc"}) write(name, "");
  const auto found = commands("jobs.yaml", fmt::format("jobs: [{{human: '{}/*.c3d'}}]", folder_.path().string()));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].ends_with("/a.c3d"));
  EXPECT_TRUE(has(refusal("jobs.yaml", "jobs: [{human: nowhere/*.c3d}]"), "no file matches 'nowhere/*.c3d'"));
}

TEST_F(Manifest, ARowOfACsvIsAJobAndAnEmptyFieldLeavesItsOptionOut) {
  EXPECT_EQ(commands("jobs.csv",
                     "verb,input,seed,set.world.floor.friction,robot\n"
                     "run,stand_coman,7,0.5,\r\n"
                     "retarget,\"clips/a, b.c3d\",,,g1\n"),
            (std::vector<std::string>{"run stand_coman --set seed=7 --set world.floor.friction=0.5",
                                      "retarget clips/a, b.c3d --robot g1"}));
}

TEST_F(Manifest, FilesAreKeptOfAllButRunsUnlessTheManifestSaysSo) {
  std::vector<bool> kept;
  for_each_job(write("jobs.yaml", "jobs: [{run: a}, {run: a, files: all}, {human: b}, {human: b, files: metrics}]"),
               [&](const ManifestJob& job) { kept.push_back(job.keeps_files); });
  EXPECT_EQ(kept, (std::vector<bool>{false, true, true, false}));
}

TEST_F(Manifest, AMillionSeedsAreCountedNotStored) {
  std::size_t count = 0;
  std::string last;
  for_each_job(write("jobs.yaml", "jobs: [{run: stand_coman, seeds: [1, 1000000]}]"), [&](const ManifestJob& job) {
    ++count;
    last = job.command.back();
  });
  EXPECT_EQ(count, 1'000'000u);
  EXPECT_EQ(last, "seed=1000000");
}

TEST_F(Manifest, AMistakeIsNamedWithItsLine) {
  const struct {
    const char *name, *text, *says;
  } kCases[] = {
      {"a.yaml", "jobs:\n- {run: a}\n- {seeds: [1, 2]}\n", "a.yaml:3"},
      {"a.yaml", "jobs:\n- {run: a, human: b}\n", "a job has one verb"},
      {"a.yaml", "jobs:\n- {run: a, seeds: 5}\n", "the first and the last are expected"},
      {"a.yaml", "jobs:\n- {human: a, seeds: [1, 2]}\n", "only jobs of `run` and `compare`"},
      {"a.yaml", "jobs:\n- {run: a, grid: {k: 1}}\n", "one value belongs to `set`"},
      {"a.yaml", "jobs:\n- {run: a, out: b}\n", "once for the whole batch"},
      {"a.yaml", "jobs: []\n", "no list `jobs`"},
      {"a.yaml", "jobs: [{run: a}]\nexecutor: ray\n", "unknown key 'executor'"},
      {"a.yaml", "jobs:\n- {run: a, files: some}\n", "'some' is not valid"},
      {"a.csv", "verb,input\nrun,a\nfly,a\n", "a.csv:3: 'fly' cannot be a job"},
      {"a.csv", "verb,input\nrun,a,b\n", "3 fields, but the header names 2 columns"},
      {"a.csv", "name,input\nrun,a\n", "`verb` and `input`"},
      {"a.csv", "verb,input\n", "has no jobs"},
      {"a.csv", "verb,input\nrun,\"a\n", "a quote is opened"},
      {"a.csv", "verb,input\nrun,\xff\xfe\n", "a.csv:2: is not plain text"},
      {"a.txt", "run a\n", "ends in .yaml or .csv"},
  };
  for (const auto& one : kCases) {
    EXPECT_TRUE(has(refusal(one.name, one.text), one.says)) << one.text << "\n" << refusal(one.name, one.text);
  }
  EXPECT_TRUE(has(error_of([&] { for_each_job(folder_.path() / "gone.csv", {}); }), "no such file"));
  EXPECT_TRUE(has(error_of([&] { for_each_job(folder_.path() / "gone.yaml", {}); }), "no such file"));
}

}  // namespace
}  // namespace aplomb
