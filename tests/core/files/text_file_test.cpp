#include "aplomb/core/files/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "support/thrown.hpp"

namespace aplomb {
namespace {

TEST(ReadFile, ReadsAPipeAsWellAsAFile) {
  const std::filesystem::path pipe = std::filesystem::path(::testing::TempDir()) / "aplomb_read_file_pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "text"; });
  EXPECT_EQ(read_file(pipe, 100), "text");
  writer.join();
  std::filesystem::remove(pipe);
}

TEST(ReadFile, RefusesAFileOfOneByteTooMany) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "aplomb_read_file";
  std::ofstream(file) << "12345";
  EXPECT_EQ(read_file(file, 5), "12345");
  EXPECT_THROW(read_file(file, 4), FileError);
  std::filesystem::remove(file);
}

TEST(Shortened, CutsBetweenCharactersAndKeepsOneLine) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened("a\nb\tc"), "a b c");
  EXPECT_EQ(shortened("abcdef", 3), "abc...");
  EXPECT_EQ(shortened("a\xE2\x82\xAC", 2), "a...");  // a euro sign has three bytes
}

}  // namespace
}  // namespace aplomb
