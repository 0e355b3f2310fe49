#include "aplomb/batch/batch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "aplomb/batch/job_claim.hpp"
#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

const BatchJob kJob{.command = {"run", "stand"}, .keeps_files = false, .key = "0123456789abcdef0123456789abcdef"};

BatchRecord record_with(const InputFiles::Digests& inputs, const char* outcome = "pass") {
  return {.command = kJob.command, .outcome = outcome, .error = {}, .inputs = inputs, .metrics = {}, .checks = {}};
}

TEST(BatchFolder, AJobIsFinishedWithItsRecordUntilAnInputChanges) {
  const test::TemporaryFolder scratch;
  const BatchFolder folder = BatchFolder::begin(scratch.path() / "out");
  const fs::path input = scratch.path() / "robot.urdf";
  std::ofstream(input) << "one";
  EXPECT_FALSE(folder.is_finished(kJob));
  folder.write(kJob.key, record_with({{input.string(), input_digest(input)}}));
  EXPECT_TRUE(folder.is_finished(kJob));
  EXPECT_TRUE(BatchFolder::begin(scratch.path() / "out/").is_finished(kJob));
  std::ofstream(input) << "another";
  EXPECT_FALSE(folder.is_finished(kJob));
}

TEST(BatchFolder, ClaimsOfEndedProcessesAreRemovedAndThoseOfOthersStay) {
  const test::TemporaryFolder scratch;
  const BatchFolder folder = BatchFolder::begin(scratch.path() / "out");
  const JobClaim mine(folder.claim_folder("mine"));
  const pid_t child = ::fork();
  if (child == 0) {
    new JobClaim(folder.claim_folder("killed"));  // NOLINT: ends before it could be deleted
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(folder.claim_folder("killed")));
  folder.remove_void_claims();
  EXPECT_FALSE(fs::exists(folder.claim_folder("killed")));
  EXPECT_TRUE(fs::exists(folder.claim_folder("mine")));
}

TEST(BatchFolder, AnErrorOrAMissingFolderOfFilesIsNotFinished) {
  const test::TemporaryFolder scratch;
  const BatchFolder folder = BatchFolder::begin(scratch.path() / "out");
  folder.write(kJob.key, record_with({}, "error"));
  EXPECT_FALSE(folder.is_finished(kJob));
  folder.write(kJob.key, record_with({}));
  BatchJob with_files = kJob;
  with_files.keeps_files = true;
  EXPECT_FALSE(folder.is_finished(with_files));
  fs::create_directories(folder.files_folder(kJob.key));
  EXPECT_TRUE(folder.is_finished(with_files));
  std::ofstream(folder.record_file(kJob.key)) << "{\"command\": [";  // as after a crash of the disk
  EXPECT_FALSE(folder.is_finished(kJob));
}

TEST(BatchFolder, AFolderOfAnotherVersionOrOfSomebodyElseIsRefusedAndStays) {
  const test::TemporaryFolder scratch;
  const fs::path out = scratch.path() / "out";
  BatchFolder::begin(out);
  std::ofstream(out / "batch.json") << R"--({"schema": 1, "aplomb": "0.0.1 (abc)", "folder": "/"})--";
  EXPECT_TRUE(has(error_of([&] { BatchFolder::begin(out); }), "was begun by aplomb 0.0.1 (abc), and this is "));
  std::ofstream(out / "batch.json") << "{";
  EXPECT_TRUE(has(error_of([&] { BatchFolder::begin(out); }), "is damaged"));
  const fs::path other = scratch.path() / "other";
  fs::create_directory(other);
  std::ofstream(other / "thesis.tex") << "x";
  EXPECT_TRUE(has(error_of([&] { BatchFolder::begin(other); }), "not a batch of aplomb"));
  EXPECT_EQ(std::distance(fs::directory_iterator(other), fs::directory_iterator()), 1);
  EXPECT_TRUE(has(error_of([&] { BatchFolder::begin(other / "thesis.tex"); }), "is a file"));
  EXPECT_TRUE(has(error_of([&] { BatchFolder::join(other); }), "is not the result folder of a batch"));
}

TEST(BatchFolder, RelativePathsCountFromTheFolderInWhichItWasBegun) {
  const test::TemporaryFolder scratch;
  const fs::path here = fs::current_path();
  fs::create_directory(scratch.path() / "a");
  fs::current_path(scratch.path() / "a");
  BatchFolder::begin(scratch.path() / "out");
  fs::current_path(here);
  EXPECT_TRUE(has(error_of([&] { BatchFolder::begin(scratch.path() / "out"); }), "give the command there"));
  BatchFolder::join(scratch.path() / "out");  // a worker goes there by itself
  EXPECT_TRUE(fs::equivalent(fs::current_path(), scratch.path() / "a"));
  fs::current_path(here);
}

}  // namespace
}  // namespace aplomb
