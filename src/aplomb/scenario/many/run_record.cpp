#include "aplomb/scenario/many/run_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

/// Non-finite numbers become null, since JSON has none; so a record in memory equals one that was written and read.
MetricValue without_nonfinite(const MetricValue& value) {
  const double* number = std::get_if<double>(&value);
  return number != nullptr && !std::isfinite(*number) ? MetricValue{} : value;
}

/// Text of a metric in a CSV table of runs.
std::string csv_text(const MetricValue& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t count) const { return fmt::format("{}", count); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<double>& list) const { return fmt::format("{}", fmt::join(list, " ")); }
  };
  return std::visit(Writer{}, value);
}

}  // namespace

RunRecord run_and_record(const Scenario& scenario, std::span<const Override> changes, RisePlanner& planner) {
  RunRecord record;
  try {
    const Result result = run_scenario(with_values(scenario, changes), {}, &planner).result;
    record.ok = result.all_checks_hold();
    for (const CheckOutcome& outcome : result.checks) {
      if (!outcome.ok) record.failed_checks.push_back(outcome.check.metric);
    }
    for (const auto& [name, value] : result.metrics.entries()) record.metrics.set(name, without_nonfinite(value));
  } catch (const Interrupted&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    record = {.error = error.what()};
  }
  return record;
}

std::string to_json(const RunRecord& record) {
  const Json json{{"ok", record.ok},
                  {"failed_checks", record.failed_checks},
                  {"error", record.error},
                  {"metrics", metrics_json(record.metrics)}};
  return json_text(json) + '\n';
}

std::optional<RunRecord> parse_run_record(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    RunRecord record;
    json.at("ok").get_to(record.ok);
    json.at("failed_checks").get_to(record.failed_checks);
    json.at("error").get_to(record.error);
    for (const auto& [name, value] : json.at("metrics").items()) record.metrics.set(name, parse_metric(value));
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string csv_header_of_records(const std::vector<std::string>& metrics) {
  std::string header = ",ok,failed_checks,error";
  for (const std::string& name : metrics) header += ',' + csv_field(name);
  return header;
}

std::string csv_fields_of_record(const RunRecord& record, const std::vector<std::string>& metrics) {
  std::string fields =
      fmt::format(",{},{},{}", record.ok, fmt::join(record.failed_checks, " "), csv_field(record.error));
  for (const std::string& name : metrics) {
    const MetricValue* value = record.metrics.find(name);
    fields += ',' + (value == nullptr ? std::string() : csv_field(csv_text(*value)));
  }
  return fields;
}

std::vector<std::string> metric_names_of(const std::vector<RunRecord>& records) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const RunRecord& record : records) {
    for (const auto& [name, value] : record.metrics.entries()) {
      if (known.insert(name).second) names.push_back(name);
    }
  }
  return names;
}

}  // namespace aplomb
