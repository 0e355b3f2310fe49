#include "aplomb/core/files/output_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/interrupt.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

class OutputFolders : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "aplomb-out-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The names in the folder, hidden ones too.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  static void write_result(const fs::path& target, const std::string& marker) {
    OutputFolder out(target);
    write_file(out.path() / "metrics.json", "{\n  \"schema\": 1,\n  \"verb\": \"run\"\n}\n");
    write_file(out.path() / marker, "x");
    out.commit();
  }

  static std::string error_of(const fs::path& target) {
    try {
      OutputFolder out(target);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

using Names = std::vector<std::string>;

TEST_F(OutputFolders, AppearsOnlyAtTheCommitAndWhole) {
  const fs::path target = folder_ / "out";
  {
    OutputFolder out(target);
    write_file(out.path() / "a.txt", "x");
    EXPECT_EQ(out.path().parent_path(), folder_);  // a sibling: the rename stays on one file system
    EXPECT_FALSE(fs::exists(target));
    out.commit();
    EXPECT_TRUE(fs::exists(target / "a.txt"));
  }
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputFolders, LeavesNothingWithoutACommit) {
  {
    OutputFolder out(folder_ / "new" / "deep" / "out");
    write_file(out.path() / "a.txt", "x");
    EXPECT_TRUE(fs::exists(folder_ / "new" / "deep"));
  }
  EXPECT_EQ(names(), Names{});
}

TEST_F(OutputFolders, MakesMissingParents) {
  write_result(folder_ / "new" / "deep" / "out/", "a");
  EXPECT_TRUE(fs::exists(folder_ / "new" / "deep" / "out" / "a"));
}

TEST_F(OutputFolders, ReplacesAnEarlierResultAsAWhole) {
  const fs::path target = folder_ / "out";
  write_result(target, "first");
  write_result(target, "second");
  EXPECT_FALSE(fs::exists(target / "first"));
  EXPECT_TRUE(fs::exists(target / "second"));
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputFolders, KeepsTheEarlierResultWhenTheNewOneFails) {
  const fs::path target = folder_ / "out";
  write_result(target, "first");
  { OutputFolder out(target); }
  EXPECT_TRUE(fs::exists(target / "first"));
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputFolders, FillsAnEmptyFolderAndFollowsALink) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", folder_ / "link");
  write_result(folder_ / "link", "first");
  write_result(folder_ / "link", "second");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::exists(folder_ / "real" / "second"));
}

TEST_F(OutputFolders, RefusesAFolderOfSomebodyElseBeforeAnyWork) {
  const fs::path target = folder_ / "photos";
  fs::create_directory(target);
  write_file(target / "cat.jpg", "x");
  EXPECT_NE(error_of(target).find("photos: has files in it"), std::string::npos) << error_of(target);
  write_file(target / "metrics.json", "{\"accuracy\": 0.9}");  // another tool's
  EXPECT_NE(error_of(target).find("photos: has files in it"), std::string::npos) << error_of(target);
  EXPECT_EQ(names(), Names{"photos"});
}

TEST_F(OutputFolders, RefusesAFolderThatSomebodyElseFilledDuringTheRun) {
  const fs::path target = folder_ / "out";
  OutputFolder out(target);
  fs::create_directory(target);
  write_file(target / "cat.jpg", "x");
  EXPECT_THROW(out.commit(), FileError);
  EXPECT_TRUE(fs::exists(target / "cat.jpg"));
}

TEST_F(OutputFolders, RefusesWhatCannotBeAFolderAndLeavesNothing) {
  write_file(folder_ / "file", "x");
  fs::create_symlink(folder_ / "nowhere", folder_ / "broken");
  EXPECT_NE(error_of(folder_ / "file").find("is a file"), std::string::npos);
  EXPECT_NE(error_of(folder_ / "file" / "out").find("file/out"), std::string::npos);
  EXPECT_NE(error_of(folder_ / "broken").find("leads nowhere"), std::string::npos);
  EXPECT_NE(error_of("/proc/aplomb/out").find("/proc"), std::string::npos);  // nobody, root included, may write there
  EXPECT_NE(error_of("/proc/aplomb").find("/proc"), std::string::npos);
  EXPECT_NE(error_of("/").find("folder of its own"), std::string::npos);
  EXPECT_NE(error_of(".").find("folder of its own"), std::string::npos);
  EXPECT_NE(error_of("").find("empty name"), std::string::npos);
  EXPECT_EQ(names(), (Names{"broken", "file"}));
}

TEST_F(OutputFolders, RemovesWhatAKilledProcessLeftButNotWhatALivingOneWrites) {
  const fs::path target = folder_ / "out";
  const OutputFolder living(target);
  const pid_t child = fork();
  if (child == 0) {
    const OutputFolder killed(target);
    ::raise(SIGKILL);
  }
  ASSERT_GT(child, 0);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(names().size(), 2u);
  fs::create_directory(folder_ / ".out.tmp-mine");  // not a name that we give
  { OutputFolder next(target); }
  EXPECT_EQ(names(), (Names{living.path().filename(), ".out.tmp-mine"}));
}

TEST(Interrupt, ASignalIsNoticedAtTheNextCheck) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        check_interrupt();  // nothing yet
        ::raise(SIGINT);
        try {
          check_interrupt();
        } catch (const Interrupted&) {
          ::_exit(is_interrupted() ? 130 : 1);
        }
        ::_exit(1);
      },
      ::testing::ExitedWithCode(130), "");
}

TEST(Interrupt, TheSecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        ::raise(SIGTERM);
        ::raise(SIGINT);
        ::_exit(0);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, AnIgnoredSignalStaysIgnored) {
  EXPECT_EXIT(
      {
        ::signal(SIGINT, SIG_IGN);
        catch_interrupts();
        ::raise(SIGINT);
        ::_exit(is_interrupted() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace aplomb
