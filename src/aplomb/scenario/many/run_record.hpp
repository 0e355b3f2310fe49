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

/// Runs a scenario with some values changed. An error in it is recorded, never thrown; Interrupted and a lack of
/// memory, which say nothing about the scenario, are thrown.
RunRecord run_and_record(const Scenario& scenario, std::span<const Override> changes, RisePlanner& planner);

std::string to_json(const RunRecord& record);                      ///< numbers with all their digits
std::optional<RunRecord> parse_run_record(std::string_view json);  ///< nothing when it is no such text

/// What a table of runs has of each record, as CSV with a leading comma: ok, failed checks, error and then `metrics`,
/// whose numbers have all their digits and whose nulls are empty.
std::string csv_header_of_records(const std::vector<std::string>& metrics);
std::string csv_fields_of_record(const RunRecord& record, const std::vector<std::string>& metrics);

/// Every metric that one of the records has, as they come.
std::vector<std::string> metric_names_of(const std::vector<RunRecord>& records);

}  // namespace aplomb
