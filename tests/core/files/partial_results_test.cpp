#include "aplomb/core/files/partial_results.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "aplomb/core/files/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

const PartialResults::Work kWork = {{"scenario", "abc"}, {"robot", "def"}};

TEST(PartialResults, AnItemIsThereForTheNextProcess) {
  const test::TemporaryFolder folder;
  {
    PartialResults kept(folder.path() / "out", kWork);
    EXPECT_EQ(kept.num_items(), 0u);
    EXPECT_FALSE(kept.read("run_1"));
    kept.write("run_1", "one\n");
    kept.write("run_2", "");
  }
  EXPECT_TRUE(fs::is_directory(folder.path() / "out.partial"));
  PartialResults again(folder.path() / "out/", kWork);  // the slash means the same folder
  EXPECT_EQ(again.num_items(), 2u);
  EXPECT_EQ(again.read("run_1"), "one\n");
  EXPECT_EQ(again.read("run_2"), "");
  again.remove();
  EXPECT_FALSE(fs::exists(folder.path() / "out.partial"));
}

TEST(PartialResults, NothingIsLeftWhenNothingWasFinished) {
  const test::TemporaryFolder folder;
  { const PartialResults kept(folder.path() / "out", kWork); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

/// Names of the files that were deleted from a folder while `action` ran, in order.
template <typename Action>
std::vector<std::string> deleted_by(const fs::path& folder, Action action) {
  const int events = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ::inotify_add_watch(events, folder.c_str(), IN_DELETE);
  action();
  alignas(inotify_event) std::array<char, 1 << 16> buffer;
  const ssize_t size = ::read(events, buffer.data(), buffer.size());
  ::close(events);
  std::vector<std::string> names;
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
    if (event->len > 0) names.emplace_back(event->name);
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  return names;
}

TEST(PartialResults, AKilledRemovalLeavesAFolderThatTheSameWorkAccepts) {
  const test::TemporaryFolder folder;
  PartialResults kept(folder.path() / "out", kWork);
  for (int i = 0; i < 40; ++i) kept.write(fmt::format("run_{}", i), "done");
  const std::vector<std::string> deleted = deleted_by(folder.path() / "out.partial", [&] { kept.remove(); });
  ASSERT_EQ(deleted.size(), 41u);
  EXPECT_EQ(deleted.back(), "work.txt") << "without it, the items that are left are refused as not ours";
}

TEST(PartialResults, OtherWorkIsRefusedAndSaysWhatDiffers) {
  const test::TemporaryFolder folder;
  PartialResults(folder.path() / "out", kWork).write("run_1", "one");
  const std::string error = error_of([&] {
    PartialResults(folder.path() / "out", {{"scenario", "abcd"}, {"robot", "def"}});
  });
  EXPECT_TRUE(has(error, "out.partial: holds 1 finished runs of other work (scenario differs)"));
  EXPECT_TRUE(has(error, "remove the folder to start afresh, give another --out"));
  EXPECT_EQ(PartialResults(folder.path() / "out", kWork).read("run_1"), "one");
}

TEST(PartialResults, OtherWorkThatFinishedNothingIsReplaced) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder.path() / "out.partial");
  std::ofstream(folder.path() / "out.partial/work.txt") << "scenario: other\n";
  PartialResults kept(folder.path() / "out", kWork);
  kept.write("run_1", "one");
  EXPECT_EQ(kept.num_items(), 1u);
}

TEST(PartialResults, AFolderOfSomebodyElseIsRefusedAndLeftAlone) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder.path() / "out.partial");
  std::ofstream(folder.path() / "out.partial/thesis.tex") << "x";
  EXPECT_TRUE(has(error_of([&] { PartialResults(folder.path() / "out", kWork); }), "is in the way and not ours"));
  EXPECT_TRUE(fs::exists(folder.path() / "out.partial/thesis.tex"));
  std::ofstream(folder.path() / "file.partial") << "x";
  EXPECT_TRUE(has(error_of([&] { PartialResults(folder.path() / "file", kWork); }), "file.partial: "));
  EXPECT_TRUE(has(error_of([&] { PartialResults(folder.path() / "no/such/out", kWork); }), "cannot be made"));
}

TEST(PartialResults, TwoAtATimeAreRefused) {
  const test::TemporaryFolder folder;
  const PartialResults first(folder.path() / "out", kWork);
  EXPECT_TRUE(has(error_of([&] { PartialResults(folder.path() / "out", kWork); }), "another aplomb"));
}

TEST(PartialResults, WhatAKillLeftHalfWrittenDoesNotCount) {
  const test::TemporaryFolder folder;
  PartialResults(folder.path() / "out", kWork).write("run_1", "one");
  std::ofstream(folder.path() / "out.partial/.aplomb-0123456789abcdef") << "{";
  PartialResults again(folder.path() / "out", kWork);
  EXPECT_EQ(again.num_items(), 1u);
  EXPECT_FALSE(again.read("run_2"));
}

TEST(PartialResults, AnItemIsNotUsedWhenAFileThatWasReadForItHasChanged) {
  const test::TemporaryFolder folder;
  const fs::path robot = folder.path() / "robot.yaml", yaml = folder.path() / "other.yaml";
  std::ofstream(robot) << "mass: 1";
  {
    PartialResults kept(folder.path() / "out", kWork);
    kept.write("run_0", "before anything was read");
    read_file(robot, 100);
    kept.write("run_1", "of 1 kg");
    EXPECT_THROW(read_file(yaml, 100), FileError);
    kept.write("run_2", "without the other");
  }
  {
    const PartialResults same(folder.path() / "out", kWork);
    EXPECT_EQ(same.num_items(), 3u);
    EXPECT_EQ(same.read("run_1"), "of 1 kg");
  }
  std::ofstream(yaml) << "now there is one";
  {
    const PartialResults without(folder.path() / "out", kWork);
    EXPECT_EQ(without.num_items(), 2u);
    EXPECT_EQ(without.num_outdated(), 1u);
    EXPECT_FALSE(without.read("run_2"));
  }
  std::ofstream(robot) << "mass: 2";
  const PartialResults changed(folder.path() / "out", kWork);
  EXPECT_EQ(changed.num_items(), 1u);
  EXPECT_FALSE(changed.read("run_1"));
  EXPECT_TRUE(changed.read("run_0"));
}

TEST(PartialResults, AFileThatChangesDuringTheWorkIsAnError) {
  const test::TemporaryFolder folder;
  const fs::path robot = folder.path() / "robot.yaml";
  std::ofstream(robot) << "mass: 1";
  PartialResults kept(folder.path() / "out", kWork);
  read_file(robot, 100);
  kept.write("run_1", "of 1 kg");
  kept.require_unchanged_inputs();
  std::ofstream(robot) << "mass: 2";
  read_file(robot, 100);
  kept.write("run_2", "of 2 kg");
  EXPECT_TRUE(has(error_of([&] { kept.require_unchanged_inputs(); }), "robot.yaml: changed while"));
}

TEST(PartialResults, ALargeItemCanBeReadBack) {
  const test::TemporaryFolder folder;
  const std::string text(25'000'000, 'x');
  PartialResults(folder.path() / "out", kWork).write("motion_1", text);
  EXPECT_TRUE(PartialResults(folder.path() / "out", kWork).read("motion_1") == text);
}

TEST(PartialResults, ADamagedItemDoesNotCount) {
  const test::TemporaryFolder folder;
  PartialResults(folder.path() / "out", kWork).write("run_1", "one");
  PartialResults(folder.path() / "out", kWork).write("run_2", "two");
  fs::resize_file(folder.path() / "out.partial/run_1.item", 70);
  PartialResults again(folder.path() / "out", kWork);
  EXPECT_EQ(again.num_items(), 1u);
  EXPECT_FALSE(again.read("run_1"));
  EXPECT_EQ(again.read("run_2"), "two");
}

TEST(PartialResults, AnotherCurrentFolderIsOtherWork) {
  const test::TemporaryFolder folder;
  PartialResults(folder.path() / "out", kWork).write("run_1", "one");
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());  // relative paths of the options lead elsewhere now
  const std::string error = error_of([&] { PartialResults(folder.path() / "out", kWork); });
  fs::current_path(here);
  EXPECT_TRUE(has(error, "(current folder differs)"));
}

TEST(PartialResults, ALinkIsNotFollowed) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder.path() / "victim");
  fs::create_directory_symlink(folder.path() / "victim", folder.path() / "out.partial");
  EXPECT_TRUE(has(error_of([&] { PartialResults(folder.path() / "out", kWork); }), "out.partial: "));
  EXPECT_TRUE(fs::is_empty(folder.path() / "victim"));
}

TEST(PartialResults, TheFolderIsPrivate) {
  const test::TemporaryFolder folder;
  const PartialResults kept(folder.path() / "out", kWork);
  struct stat status {};
  ASSERT_EQ(::stat((folder.path() / "out.partial").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST(PartialResults, ThreadsWriteAtTheSameTime) {
  const test::TemporaryFolder folder;
  PartialResults kept(folder.path() / "out", kWork);
  const auto write = [&kept](int first) {
    for (int i = first; i < first + 50; ++i) kept.write(fmt::format("run_{}", i), fmt::format("{}", i));
  };
  {
    const std::jthread other(write, 0);
    write(50);
  }
  EXPECT_EQ(kept.num_items(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(kept.read(fmt::format("run_{}", i)), fmt::format("{}", i));
}

}  // namespace
}  // namespace aplomb
