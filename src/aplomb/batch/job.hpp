#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// One job of a batch: a command of `aplomb` without --out, --json and --jobs.
struct BatchJob {
  std::vector<std::string> command;  ///< "run", "balance_push_forward", "--set", "seed=3"
  bool keeps_files = false;          ///< whether the folder of --out is kept, or the metrics only
  std::string key;                   ///< batch_key(command): the job's name in the result folder
};

/// Digest of everything that a job's result depends on as far as its command names it: its words, the contents of the
/// files among them (also of `--set KEY=FILE`, and of a scenario named without a path), and the version of aplomb.
/// Other files that the job reads (a robot's URDF) are recorded with its result (BatchRecord::inputs).
std::string batch_key(const std::vector<std::string>& command);

/// A job as one line of JSON without a line break, and back; throws InvalidValue on a damaged line.
std::string to_line(const BatchJob& job);
BatchJob parse_job(std::string_view line);

}  // namespace aplomb
