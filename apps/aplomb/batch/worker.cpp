#include "batch/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <list>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "aplomb/batch/batch_folder.hpp"
#include "aplomb/batch/job_claim.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "run/shared_planner.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kKinds{"done", "busy", "stop"};

std::string to_line(const WorkerAnswer& answer) {
  return json_text(Json{{"kind", kKinds[static_cast<std::size_t>(answer.kind)]},
                        {"was_there", answer.was_there},
                        {"failed", answer.failed},
                        {"error", answer.error}}) +
         "\n";
}

/// Whether an error is of the disk that results are written to, and not of the job: then every further job has it.
bool is_of_disk(std::string_view error) {
  return std::ranges::any_of(std::array{ENOSPC, EDQUOT, EFBIG, EROFS}, [error](int number) {
    return error.find(std::generic_category().message(number)) != std::string_view::npos;
  });
}

/// Standard output of this process, kept in memory from now on; the answers go where it went before.
class CapturedOutput {
 public:
  CapturedOutput() : answers_(::dup(STDOUT_FILENO)), memory_(::memfd_create("aplomb", MFD_CLOEXEC)) {
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (answers_ < 0 || memory_ < 0 || nothing < 0 || ::dup2(memory_, STDOUT_FILENO) < 0 ||
        ::dup2(nothing, STDERR_FILENO) < 0) {
      throw Error("the worker of a batch cannot redirect its output: " + std::generic_category().message(errno));
    }
    ::close(nothing);
    ::fcntl(answers_, F_SETFD, FD_CLOEXEC);
  }

  /// What was printed since the last call.
  std::string take() const {
    std::fflush(stdout);
    std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(memory_, 0, SEEK_END))), '\0');
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = ::pread(memory_, text.data() + at, text.size() - at, static_cast<off_t>(at));
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    if (::ftruncate(memory_, 0) != 0 || ::lseek(memory_, 0, SEEK_SET) < 0) throw Error("the worker's output is lost");
    return text;
  }

  bool answer(const WorkerAnswer& answer) const {
    const std::string line = to_line(answer);
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t count = ::write(answers_, line.data() + at, line.size() - at);
      if (count <= 0) return false;  // nobody listens any more
      at += static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  int answers_, memory_;
};

/// Planners with the robots and plans that they have made, for runs that differ in numbers only.
class Planners {
 public:
  struct Kept {
    std::string group;
    RisePlanner planner;
    InputFiles::Digests inputs;  ///< of all that the planner keeps
    int num_uses = 0;
  };

  /// The planner for a command; it stays valid until the next call.
  Kept& of(const std::vector<std::string>& command) {
    const std::string group = group_of(command);
    const auto found = std::ranges::find_if(kept_, [&](const auto& one) { return one->group == group; });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
    } else {
      kept_.push_front(std::make_unique<Kept>());
      kept_.front()->group = group;
      if (kept_.size() > kMost) kept_.pop_back();
    }
    if (++kept_.front()->num_uses > kMostUses) {  // a plan for each of a million seeds would fill the memory
      kept_.front() = std::make_unique<Kept>();
      kept_.front()->group = group;
    }
    return *kept_.front();
  }

 private:
  static constexpr std::size_t kMost = 4;
  static constexpr int kMostUses = 500;

  /// The command without numbers: they name no file, so that all runs of a group read the same ones.
  static std::string group_of(const std::vector<std::string>& command) {
    std::string group;
    for (const std::string& word : command) {
      const std::size_t equals = word.find('=');
      const bool is_number = equals != std::string::npos && equals + 1 < word.size() &&
                             word.find_first_not_of("0123456789+-.eE[], ", equals + 1) == std::string::npos;
      group += (is_number ? word.substr(0, equals) : word) + '\n';
    }
    return group;
  }

  std::list<std::unique_ptr<Kept>> kept_;  ///< the last used first
};

class Worker {
 public:
  explicit Worker(const std::filesystem::path& folder) : folder_(BatchFolder::join(folder)) {}

  int run() {
    std::string line;
    while (!is_interrupted() && std::getline(std::cin, line)) {
      const WorkerAnswer answer = answer_to(line);
      if (!output_.answer(answer) || answer.kind == WorkerAnswer::Kind::stop) break;
    }
    return is_interrupted() ? kInterrupted : kSuccess;
  }

 private:
  WorkerAnswer answer_to(const std::string& line) {
    try {
      const BatchJob job = parse_job(line);
      const std::string give_up = Json::parse(line).value("give_up", std::string());
      JobClaim claim(make_claim(job));
      if (!claim.is_ours()) return {.kind = WorkerAnswer::Kind::busy, .error = {}};
      if (folder_.is_finished(job)) return {.was_there = true, .error = {}};
      const BatchRecord record = give_up.empty() ? do_job(job) : error_record(job, give_up);
      if (record.is_error() && is_of_disk(record.error)) {
        return {.kind = WorkerAnswer::Kind::stop, .error = record.error};
      }
      folder_.write(job.key, record);
      return {.failed = record.is_error() || record.outcome == "fail", .error = record.error};
    } catch (const Interrupted&) {
      return {.kind = WorkerAnswer::Kind::stop, .error = "interrupted"};
    } catch (const std::exception& error) {  // of the result folder; a job's own errors are in its record
      return {.kind = WorkerAnswer::Kind::stop, .error = error.what()};
    }
  }

  std::filesystem::path make_claim(const BatchJob& job) const { return folder_.claim_folder(job.key); }

  static BatchRecord error_record(const BatchJob& job, const std::string& error) {
    return {.command = job.command, .outcome = "error", .error = error, .inputs = {}, .metrics = {}, .checks = {}};
  }

  BatchRecord do_job(const BatchJob& job) {
    std::vector<std::string> command = job.command;
    command.emplace_back("--json");
    if (job.keeps_files) command.insert(command.end(), {"--out", folder_.files_folder(job.key).string()});
    Planners::Kept* kept = job.command.front() == "run" ? &planners_.of(job.command) : nullptr;
    shared_planner() = kept == nullptr ? nullptr : &kept->planner;
    const InputFiles inputs;
    const InputFiles::Item item;
    std::string error;
    try {
      run_verb(command);
      std::cout.flush();
    } catch (const std::bad_alloc&) {
      error = "out of memory";
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& problem) {
      error = problem.what();
    }
    const std::string printed = output_.take();
    InputFiles::Digests read = inputs.digests();
    if (kept != nullptr) {
      kept->inputs.insert(read.begin(), read.end());
      read = kept->inputs;
    }
    if (!error.empty()) return error_record(job, error);
    try {
      return record_of(job.command, printed, read);
    } catch (const InvalidValue& problem) {
      return error_record(job, problem.what());
    }
  }

  CapturedOutput output_;
  BatchFolder folder_;
  Planners planners_;
};

}  // namespace

std::string to_request(const BatchJob& job, const std::string& give_up) {
  std::string line = to_line(job);
  if (!give_up.empty())
    line.replace(line.size() - 1, 1, fmt::format(",{}", json_text(Json{{"give_up", give_up}}).substr(1)));
  return line + "\n";
}

WorkerAnswer parse_answer(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    const auto kind = std::ranges::find(kKinds, json.at("kind").get<std::string>());
    if (kind == kKinds.end()) throw InvalidValue("unknown kind");
    return {.kind = static_cast<WorkerAnswer::Kind>(kind - kKinds.begin()),
            .was_there = json.at("was_there").get<bool>(),
            .failed = json.at("failed").get<bool>(),
            .error = json.at("error").get<std::string>()};
  } catch (const std::exception&) {
    throw InvalidValue("the answer of a worker is damaged");
  }
}

int work_on_requests(const std::filesystem::path& folder) { return Worker(folder).run(); }

}  // namespace aplomb
