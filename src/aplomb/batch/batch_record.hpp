#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/result.hpp"

namespace aplomb {

/// What is kept of a job: its row of the table.
struct BatchRecord {
  std::vector<std::string> command;
  std::string outcome;         ///< "pass", "fail", "not_judged", or "error"
  std::string error;           ///< why there is no result; empty: there is
  InputFiles::Digests inputs;  ///< all files that the job read
  Metrics metrics;
  std::vector<CheckOutcome> checks;

  bool is_error() const { return outcome == "error"; }
};

/// The record of a finished job, from the text that it printed with --json (metrics.json). Throws InvalidValue when
/// that is no result.
BatchRecord record_of(const std::vector<std::string>& command, std::string_view metrics_json,
                      const InputFiles::Digests& inputs);

std::string to_text(const BatchRecord& record);   ///< JSON; the same record gives the same bytes
BatchRecord parse_record(std::string_view text);  ///< throws InvalidValue on a damaged one

/// Smallest relative distance of a checked metric to its bound, and that metric; negative when the check fails. Of
/// `equals`: nothing when it holds, otherwise -1. Absent checks: +infinity.
struct WorstCheck {
  std::string metric;
  double margin = 0.0;
};
WorstCheck worst_check(const std::vector<CheckOutcome>& checks);

}  // namespace aplomb
