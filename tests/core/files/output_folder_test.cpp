#include "aplomb/core/files/output_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
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
    EXPECT_EQ(out.path().parent_path().parent_path(), folder_);  // beside it: the rename stays on one file system
    struct stat status {};
    ASSERT_EQ(::stat(out.path().parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);  // nobody else can look into it, or plant a link in it
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
  write_file(target / "metrics.json", "{\"schema\": 1, \"verb\": \"run\"}");  // another tool's, in our words
  EXPECT_NE(error_of(target).find("photos: has files in it"), std::string::npos) << error_of(target);
  EXPECT_EQ(names(), Names{"photos"});
}

TEST_F(OutputFolders, RefuseAnEarlierResultWithFilesOfTheUserInIt) {
  const fs::path target = folder_ / "out";
  write_result(target, "first");
  write_file(target / "notes.txt", "my thoughts");
  EXPECT_NE(error_of(target).find("did not write, or that were changed since (notes.txt)"), std::string::npos)
      << error_of(target);
  fs::remove(target / "notes.txt");
  EXPECT_EQ(error_of(target), "no error");
  write_result(target / "inner", "second");  // a result inside a result
  EXPECT_NE(error_of(target).find("(inner, inner/manifest.sha256, inner/metrics.json and 1 more)"), std::string::npos)
      << error_of(target);
  fs::remove_all(target / "inner");
  fs::create_directory(target / "mine");
  EXPECT_NE(error_of(target).find("(mine)"), std::string::npos) << error_of(target);
  fs::remove(target / "mine");
  fs::create_symlink("/", target / "link");
  EXPECT_NE(error_of(target).find("(link)"), std::string::npos) << error_of(target);
  fs::remove(target / "link");
  write_file(target / "first", "edited by hand");
  EXPECT_NE(error_of(target).find("(first)"), std::string::npos) << error_of(target);
  EXPECT_TRUE(fs::exists(target / "first"));
}

TEST_F(OutputFolders, KeepAFileThatTheUserAddsDuringTheRun) {
  const fs::path target = folder_ / "out";
  write_result(target, "first");
  {
    OutputFolder out(target);
    write_file(out.path() / "second", "x");
    write_file(target / "notes.txt", "my thoughts");
    EXPECT_THROW(out.commit(), FileError);
  }
  EXPECT_TRUE(fs::exists(target / "notes.txt"));
  EXPECT_TRUE(fs::exists(target / "first"));
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputFolders, ListTheirFilesAsSha256sumReadsThem) {
  const fs::path target = folder_ / "out";
  {
    OutputFolder out(target);
    fs::create_directory(out.path() / "inner");
    write_file(out.path() / "inner" / "line\nbreak\\.txt", "x");
    write_file(out.path() / "metrics.json", "{}");
    write_file(out.path() / "timing.json", "{}");
    out.commit();
  }
  EXPECT_EQ(error_of(target), "no error");
  write_file(target / "timing.json", "{\"wall_s\": 1}");  // listed without a digest: times differ from run to run
  EXPECT_EQ(error_of(target), "no error");
  const std::string check = "cd '" + target.string() + "' && sha256sum --check --quiet --strict manifest.sha256";
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST_F(OutputFolders, DoNotFollowLinksThatSomebodyPlanted) {
  const fs::path victim = folder_ / "victim";
  fs::create_directory(victim);
  write_file(victim / "precious", "x");
  for (const char* name : {".out.tmp-AAAAAA", ".out.tmp-BBBBBB"}) fs::create_directory_symlink(victim, folder_ / name);
  write_result(folder_ / "out", "first");
  EXPECT_TRUE(fs::exists(victim / "precious"));
  EXPECT_EQ(names(), (Names{".out.tmp-AAAAAA", ".out.tmp-BBBBBB", "out", "victim"}));
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
  Names left{living.path().parent_path().filename(), ".out.tmp-mine"};
  std::ranges::sort(left);
  EXPECT_EQ(names(), left);
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
