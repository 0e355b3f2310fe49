#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "scenario/pushed_scenario.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::has;

/// `aplomb run ARGUMENTS`, as a process of its own whose words go to a file.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const fs::path& output) {
    std::vector<std::string> words = {APLOMB_PROGRAM, "run"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int failed = posix_spawn(&id_, APLOMB_PROGRAM, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " APLOMB_PROGRAM);
  }
  ~Process() {
    if (id_ > 0) stop(SIGKILL);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int wait() {  ///< the exit code, or minus the signal that ended it
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int stop(int signal_number) {
    kill(id_, signal_number);
    return wait();
  }
  bool is_running() {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
  }

 private:
  pid_t id_ = -1;
};

class Resume : public ::testing::Test {
 protected:
  Resume() { write_file(folder_.path() / "pushed.yaml", test::kPushedScenario); }

  std::vector<std::string> arguments(const char* out, int jobs = 2) const {
    return {(folder_.path() / "pushed.yaml").string(),
            "--repeat",
            "60",
            "--jobs",
            std::to_string(jobs),
            "--out",
            (folder_.path() / out).string()};
  }
  std::string words() const { return read_file(folder_.path() / "words", 1'000'000); }
  int run(const std::vector<std::string>& given) const { return Process(given, folder_.path() / "words").wait(); }

  std::size_t num_kept(const char* out) const {
    std::error_code error;
    std::size_t count = 0;
    const fs::path partial = folder_.path() / (std::string(out) + ".partial");
    for (fs::directory_iterator entry(partial, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() == ".item") ++count;
    }
    return count;
  }

  /// Waits until so many runs are kept, and a little more; false when the process ended before.
  bool wait_for(Process& process, const char* out, std::size_t count, std::chrono::microseconds more) const {
    while (process.is_running() && num_kept(out) < count) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(more);
    return process.is_running();
  }

  void expect_same_files(const char* a, const char* b) const {
    for (const char* name : {"metrics.json", "runs.csv", "runs.npz", "report.html"}) {
      const std::size_t limit = 100'000'000;
      EXPECT_EQ(read_file(folder_.path() / a / name, limit), read_file(folder_.path() / b / name, limit)) << name;
    }
  }

  test::TemporaryFolder folder_;
};

TEST_F(Resume, FiveKillsAtAnyMomentLeaveTheSameBytesAsNone) {
  ASSERT_EQ(run(arguments("whole", 1)), 0) << words();
  std::mt19937 random(1);
  int num_killed = 0;
  for (int kill = 1; kill <= 5; ++kill) {
    Process process(arguments("killed"), folder_.path() / "words");
    // Anywhere in the work, between runs and within one.
    const std::chrono::microseconds more(random() % 20'000);
    if (!wait_for(process, "killed", static_cast<std::size_t>(9 * kill), more)) break;
    EXPECT_EQ(process.stop(SIGKILL), -SIGKILL);
    ++num_killed;
  }
  EXPECT_EQ(num_killed, 5);
  EXPECT_FALSE(fs::exists(folder_.path() / "killed"));
  const std::size_t num_finished = num_kept("killed");
  EXPECT_GT(num_finished, 0u);
  EXPECT_LT(num_finished, 60u);
  EXPECT_EQ(run(arguments("killed")), 0);
  EXPECT_TRUE(has(words(), fmt::format("resuming after {} finished runs", num_finished)));
  expect_same_files("whole", "killed");
  EXPECT_FALSE(fs::exists(folder_.path() / "killed.partial"));
}

TEST_F(Resume, AnInterruptKeepsTheFinishedRunsAndSaysSo) {
  Process process(arguments("out"), folder_.path() / "words");
  ASSERT_TRUE(wait_for(process, "out", 3, std::chrono::microseconds(0)));
  EXPECT_EQ(process.stop(SIGINT), 130);
  EXPECT_TRUE(has(words(), "aplomb: interrupted; "));
  EXPECT_TRUE(has(words(), fmt::format("{} finished runs are kept in ", num_kept("out"))));
  EXPECT_GE(num_kept("out"), 3u);
  std::vector<std::string> other = arguments("out");
  other.insert(other.end(), {"--set", "seed=2"});
  EXPECT_EQ(run(other), 2);
  EXPECT_TRUE(has(words(), "finished runs of other work (scenario differs)"));
  EXPECT_EQ(run(arguments("out")), 0);
}

TEST_F(Resume, FewerOrMoreRunsGoOnFromWhatWasKept) {
  Process process(arguments("out"), folder_.path() / "words");
  ASSERT_TRUE(wait_for(process, "out", 10, std::chrono::microseconds(0)));
  process.stop(SIGKILL);
  std::vector<std::string> fewer = arguments("out");
  fewer[2] = "5";
  EXPECT_EQ(run(fewer), 0);
  const std::string table = read_file(folder_.path() / "out/runs.csv", 1'000'000);
  EXPECT_EQ(std::ranges::count(table, '\n'), 6);
}

}  // namespace
}  // namespace aplomb
