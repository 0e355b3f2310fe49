#include "aplomb/core/files/output_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::has;

std::string contents_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::size_t num_entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, AFileIsReplacedOnlyWhenTheNewOneIsComplete) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  write_file(file, "old");
  {
    OutputFile output(file);
    output.write(std::string(1'000'000, 'x'));
    EXPECT_EQ(contents_of(file), "old");
  }
  EXPECT_EQ(contents_of(file), "old");
  EXPECT_EQ(num_entries(folder.path()), 1u);
  OutputFile output(file);
  output.write("new");
  output.close();
  EXPECT_EQ(contents_of(file), "new");
  EXPECT_EQ(num_entries(folder.path()), 1u);
}

TEST(OutputFile, AFullDiskLeavesTheFileAsItWas) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  write_file(file, "old");
  const pid_t child = ::fork();
  if (child == 0) {  // in a process of its own: the limit cannot be taken back
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file(file, std::string(1'000'000, 'x'));
    } catch (const FileError&) {
      ::_exit(7);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(contents_of(file), "old");
  EXPECT_EQ(num_entries(folder.path()), 1u);
}

TEST(OutputFile, ALinkIsReplacedAndNeverFollowed) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "victim", "precious");
  fs::create_symlink(folder.path() / "victim", folder.path() / "a.txt");
  write_file(folder.path() / "a.txt", "new");
  EXPECT_EQ(contents_of(folder.path() / "victim"), "precious");
  EXPECT_FALSE(fs::is_symlink(folder.path() / "a.txt"));
  EXPECT_EQ(contents_of(folder.path() / "a.txt"), "new");
}

TEST(OutputFile, ADeviceAndAPipeAreWrittenDirectly) {
  const test::TemporaryFolder folder;
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  {
    const std::jthread reader([&] { received = contents_of(pipe); });
    write_file(pipe, "through the pipe");
  }
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(OutputFile, ErrorsNameTheFileAndTheReason) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(
      has(error_of([&] { write_file(folder.path() / "no/a.txt", "x"); }), "no/a.txt: cannot open the file: No"));
  EXPECT_TRUE(has(error_of([&] { write_file(folder.path(), "x"); }), "Is a directory"));
}

}  // namespace
}  // namespace aplomb
