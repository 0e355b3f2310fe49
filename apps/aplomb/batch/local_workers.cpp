#include "batch/local_workers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <system_error>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "batch/worker.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kBusyPause = 200ms;  // until a job that another process is at is asked for again
constexpr int kPollMs = 200;

[[noreturn]] void fail(const char* doing) {
  throw Error(fmt::format("cannot {} a worker process: {}", doing, std::generic_category().message(errno)));
}

struct Assigned {
  BatchJob job;
  int num_deaths = 0;
  std::string last_death;
};

/// A child process with a pipe to it and one from it.
class Process {
 public:
  explicit Process(const BatchFolder& folder) {
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) fail("connect");
    const std::string where = folder.path().string();
    process_ = ::fork();
    if (process_ < 0) fail("start");
    if (process_ == 0) {
      // Only calls that are safe between fork and exec.
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(from[1], STDOUT_FILENO);
      ::execl("/proc/self/exe", "aplomb", "batch", "--worker", where.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }

  ~Process() {
    close();
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int from() const { return from_; }
  void ask_to_stop() const { ::kill(process_, SIGTERM); }

  /// False when the process does not listen any more: it has died, which reading will show.
  bool send(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = ::write(to_, text.data() + at, text.size() - at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      at += static_cast<std::size_t>(count);
    }
    return true;
  }

  /// Reads what there is; false at the end.
  bool receive() {
    char buffer[4096];
    const ssize_t count = ::read(from_, buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (count <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  std::optional<std::string> take_line() {
    const std::size_t end = received_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = received_.substr(0, end);
    received_.erase(0, end + 1);
    return line;
  }

  /// Waits for its end; says how it came.
  std::string end() {
    close();
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("exit code {}", WEXITSTATUS(status));
  }

  std::optional<Assigned> assigned;

 private:
  void close() {
    for (int* descriptor : {&to_, &from_}) {
      if (*descriptor >= 0) ::close(*descriptor);
      *descriptor = -1;
    }
  }

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string received_;
};

class LocalWorkers {
 public:
  LocalWorkers(const BatchFolder& folder, std::size_t num_workers, const std::function<std::optional<BatchJob>()>& next,
               const std::function<void(const BatchProgress&)>& on_progress)
      : folder_(folder), next_(next), on_progress_(on_progress), workers_(num_workers) {
    ::signal(SIGPIPE, SIG_IGN);  // a dead worker shows in what it does not answer
  }

  void run() {
    while (assign()) {
      wait();
      if (is_interrupted()) stop_all();
    }
  }

 private:
  /// Gives every idle worker a job; false when all is done.
  bool assign() {
    bool any = false;
    for (std::unique_ptr<Process>& worker : workers_) {
      if (!worker || !worker->assigned) give(worker);
      any = any || (worker && worker->assigned);
    }
    return any || !busy_.empty();
  }

  void give(std::unique_ptr<Process>& worker) {
    std::optional<Assigned> job = take();
    if (!job) return;
    if (!worker) worker = std::make_unique<Process>(folder_);
    const bool is_given_up = job->num_deaths >= kMostAttempts;
    worker->send(to_request(
        job->job, is_given_up ? fmt::format("its process ended by {}, {} times", job->last_death, job->num_deaths)
                              : std::string()));
    worker->assigned = std::move(job);
  }

  std::optional<Assigned> take() {
    if (!again_.empty()) {
      std::optional<Assigned> job = std::move(again_.front());
      again_.pop_front();
      return job;
    }
    if (!is_at_end_) {
      if (std::optional<BatchJob> job = next_()) return Assigned{.job = std::move(*job), .last_death = {}};
      is_at_end_ = true;
    }
    if (busy_.empty() || busy_.front().second > Clock::now()) return std::nullopt;
    std::optional<Assigned> job = std::move(busy_.front().first);
    busy_.pop_front();
    return job;
  }

  void wait() {
    std::vector<pollfd> waiting;
    for (const std::unique_ptr<Process>& worker : workers_) {
      if (worker) waiting.push_back({.fd = worker->from(), .events = POLLIN, .revents = 0});
    }
    ::poll(waiting.data(), waiting.size(), kPollMs);
    std::size_t i = 0;
    for (std::unique_ptr<Process>& worker : workers_) {
      if (worker && waiting[i++].revents != 0) listen(worker);
    }
  }

  void listen(std::unique_ptr<Process>& worker) {
    const bool is_open = worker->receive();
    while (const std::optional<std::string> line = worker->take_line()) take_answer(*worker, parse_answer(*line));
    if (!is_open) bury(worker);
  }

  void take_answer(Process& worker, const WorkerAnswer& answer) {
    if (!worker.assigned) return;
    Assigned job = std::move(*worker.assigned);
    worker.assigned.reset();
    if (answer.kind == WorkerAnswer::Kind::busy) {
      busy_.emplace_back(std::move(job), Clock::now() + kBusyPause);
    } else if (answer.kind == WorkerAnswer::Kind::stop) {
      if (is_interrupted()) stop_all();
      if (answer.error != "interrupted") throw Error(answer.error);
      ++job.num_deaths;  // the worker alone was asked to end
      job.last_death = "a request to end";
      again_.push_back(std::move(job));
    } else {
      ++progress_.through;
      if (!answer.was_there) ++progress_.done;
      if (answer.failed) ++progress_.failed;
      on_progress_(progress_);
    }
  }

  void bury(std::unique_ptr<Process>& worker) {
    const std::string how = worker->end();
    if (is_interrupted()) stop_all();
    if (worker->assigned) {
      Assigned job = std::move(*worker->assigned);
      ++job.num_deaths;
      job.last_death = how;
      if (how == "exit code 2" || how == "exit code 127" || job.num_deaths > kMostAttempts) {
        throw Error(fmt::format("a worker process of the batch cannot work: {}", how));
      }
      again_.push_back(std::move(job));
    }
    worker.reset();
  }

  [[noreturn]] void stop_all() {
    for (const std::unique_ptr<Process>& worker : workers_) {
      if (worker) worker->ask_to_stop();
    }
    throw Interrupted();
  }

  const BatchFolder& folder_;
  const std::function<std::optional<BatchJob>()>& next_;
  const std::function<void(const BatchProgress&)>& on_progress_;
  std::vector<std::unique_ptr<Process>> workers_;
  std::deque<Assigned> again_;
  std::deque<std::pair<Assigned, Clock::time_point>> busy_;
  bool is_at_end_ = false;
  BatchProgress progress_;
};

}  // namespace

void do_locally(const BatchFolder& folder, std::size_t num_workers,
                const std::function<std::optional<BatchJob>()>& next,
                const std::function<void(const BatchProgress&)>& on_progress) {
  LocalWorkers(folder, num_workers, next, on_progress).run();
}

}  // namespace aplomb
