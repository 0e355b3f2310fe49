#include "aplomb/batch/job.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

TEST(BatchJob, ItsLineGivesItBack) {
  const BatchJob job{.command = {"run", "a \"b\"\n\xc3\xa9", "--set", "seed=1"},
                     .keeps_files = true,
                     .key = "0123456789abcdef0123456789abcdef"};
  const std::string line = to_line(job);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const BatchJob back = parse_job(line);
  EXPECT_EQ(back.command, job.command);
  EXPECT_EQ(back.keeps_files, job.keeps_files);
  EXPECT_EQ(back.key, job.key);
}

TEST(BatchJob, ADamagedLineIsRefusedAlsoWhenItsKeyIsAPath) {
  for (const char* line :
       {"", "{", "[]", "{\"key\":\"0123456789abcdef0123456789abcdef\",\"files\":true}",
        "{\"key\":\"../../../../../etc/passwd0000000\",\"files\":true,\"command\":[\"run\",\"a\"]}"}) {
    EXPECT_THROW(parse_job(line), InvalidValue) << line;
  }
}

TEST(BatchJob, ItsKeyFollowsEveryWordAndTheContentsOfTheFilesItNames) {
  const test::TemporaryFolder folder;
  const std::string clip = folder.path() / "clip.c3d";
  const auto write = [&](const char* text) { std::ofstream(clip) << text; };
  const std::vector<std::string> job{"human", clip}, set{"run", "stand_coman", "--set", "plan.demonstration=" + clip};
  std::set<std::string> keys;
  EXPECT_TRUE(keys.insert(batch_key(job)).second);
  EXPECT_TRUE(keys.insert(batch_key(set)).second);
  for (const char* text : {"one", "other"}) {
    write(text);
    EXPECT_TRUE(keys.insert(batch_key(job)).second);
    EXPECT_TRUE(keys.insert(batch_key(set)).second);
    EXPECT_EQ(batch_key(job), batch_key(job));
  }
  write("one");
  EXPECT_FALSE(keys.insert(batch_key(job)).second);
  EXPECT_TRUE(keys.insert(batch_key({"run", "a", "b"})).second);
  EXPECT_TRUE(keys.insert(batch_key({"run", "ab"})).second);  // words do not run into each other
}

}  // namespace
}  // namespace aplomb
