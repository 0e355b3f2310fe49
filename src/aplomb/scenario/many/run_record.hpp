#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/scenario/many_runs.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Runs a scenario with some values changed. Errors are recorded, not thrown, except Interrupted and
/// std::bad_alloc, which are not caused by the scenario.
RunRecord run_and_record(const Scenario& scenario, std::span<const Override> changes, RisePlanner& planner);

std::string to_json(const RunRecord& record);                      ///< numbers in full precision
std::optional<RunRecord> parse_run_record(std::string_view json);  ///< absent when the text is no record

/// Columns of a record in a table of runs, as CSV with a leading comma: ok, failed checks, error, then `metrics` in
/// full precision, with empty cells for null.
std::string csv_header_of_records(const std::vector<std::string>& metrics);
std::string csv_fields_of_record(const RunRecord& record, const std::vector<std::string>& metrics);

/// Names of all metrics of the records, in order of first appearance.
std::vector<std::string> metric_names_of(const std::vector<RunRecord>& records);

}  // namespace aplomb
