#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "aplomb/batch/job.hpp"

namespace aplomb {

// A worker of a batch is this program as `aplomb batch --worker DIR`: a line of JSON on its standard input is a job
// (to_request), the line that follows on its standard output is the answer. It ends with its input. What it has
// finished is in DIR by then, so that it may be killed at any time.

struct WorkerAnswer {
  enum class Kind {
    done,  ///< there is a record, of this or of an earlier process
    busy,  ///< another process is at this job
    stop,  ///< no further job can be done (full disk, interrupt): `error` says why
  };
  Kind kind = Kind::done;
  bool was_there = false;  ///< done: by somebody else
  bool failed = false;     ///< done: with an error or a failed check
  std::string error;
};

/// `give_up` is empty, or why the job shall not be tried again: the worker records that as its error.
std::string to_request(const BatchJob& job, const std::string& give_up = {});
WorkerAnswer parse_answer(std::string_view line);  ///< throws InvalidValue

int work_on_requests(const std::filesystem::path& folder);  ///< returns the exit code

}  // namespace aplomb
