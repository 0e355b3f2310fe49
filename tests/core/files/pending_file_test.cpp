#include "aplomb/core/files/pending_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

class PendingFiles : public ::testing::Test {
 protected:
  void write(const std::string& text, const PendingFile::Recogniser& is_ours = {}) const {
    PendingFile pending(file_, is_ours);
    pending.fill([&](const fs::path& path) { write_file(path, text); });
    pending.place();
  }

  std::string contents() const {
    std::ostringstream text;
    text << std::ifstream(file_).rdbuf();
    return text.str();
  }

  std::size_t num_entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  test::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "a.csv";
};

TEST_F(PendingFiles, AppearWhenPlacedAndNotBefore) {
  {
    PendingFile pending(file_);
    pending.fill([](const fs::path& path) { write_file(path, "x"); });
    EXPECT_FALSE(fs::exists(file_));
  }
  EXPECT_EQ(num_entries(), 0u);
  write("x");
  EXPECT_EQ(contents(), "x");
  EXPECT_EQ(num_entries(), 1u);
}

TEST_F(PendingFiles, DoNotReplaceAFileWithOtherContents) {
  std::ofstream(file_) << "measured for weeks";
  EXPECT_TRUE(has(error_of([&] { write("x"); }), "a.csv: is there already, with other contents"));
  EXPECT_EQ(contents(), "measured for weeks");
  write("measured for weeks");  // nothing would be lost
  EXPECT_EQ(num_entries(), 1u);
}

TEST_F(PendingFiles, ReplaceAFileThatTheProgramRecognisesAsItsOwn) {
  const auto is_ours = [](const std::string& text) { return text.starts_with("ours"); };
  std::ofstream(file_) << "ours, older";
  write("ours, newer", is_ours);
  EXPECT_EQ(contents(), "ours, newer");
  std::ofstream(file_) << "theirs";
  EXPECT_THROW(write("ours", is_ours), FileError);
}

TEST_F(PendingFiles, DoNotFollowOrReplaceALink) {
  std::ofstream(folder_.path() / "victim") << "precious";
  fs::create_symlink(folder_.path() / "victim", file_);
  EXPECT_THROW(write("x"), FileError);
  EXPECT_EQ(contents(), "precious");
  fs::remove(file_);
  fs::create_symlink(folder_.path() / "nowhere", file_);
  EXPECT_THROW(write("x"), FileError);
  EXPECT_FALSE(fs::exists(folder_.path() / "nowhere"));
}

TEST_F(PendingFiles, ErrorsNameTheFileThatTheUserGave) {
  PendingFile pending(file_);
  EXPECT_EQ(
      error_of([&] { pending.fill([](const fs::path& path) { throw FileError({path.string()}, "No space left"); }); }),
      file_.string() + ": No space left");
  EXPECT_TRUE(has(error_of([&] { PendingFile(folder_.path()); }), "is a folder"));
  EXPECT_TRUE(has(error_of([&] { PendingFile(folder_.path() / "no" / "a.csv"); }), "No such file"));
}

}  // namespace
}  // namespace aplomb
