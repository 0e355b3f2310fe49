#include "aplomb/batch/batch_record.hpp"

#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/metric_json.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;
using Rule = Check::Rule;

constexpr const char* kDamaged = "the record of a finished job is damaged; remove it, and the job is done again";
constexpr std::pair<const char*, Rule> kRules[] = {
    {"equals", Rule::equals}, {"below", Rule::below}, {"above", Rule::above}};

Metrics metrics_of(const Json& json) {
  Metrics metrics;
  for (const auto& [name, value] : json.items()) metrics.set(name, parse_metric(value));
  return metrics;
}

CheckOutcome check_of(const Json& json) {
  CheckOutcome outcome;
  outcome.check.metric = json.at("metric").get<std::string>();
  outcome.value = parse_metric(json.at("value"));
  outcome.ok = json.at("ok").get<bool>();
  for (const auto& [name, rule] : kRules) {
    if (!json.contains(name)) continue;
    outcome.check.rule = rule;
    outcome.check.bound = parse_metric(json.at(name));
  }
  return outcome;
}

Json json_of(const CheckOutcome& outcome) {
  Json json{{"metric", outcome.check.metric}, {"value", metric_json(outcome.value)}};
  for (const auto& [name, rule] : kRules) {
    if (rule == outcome.check.rule) json[name] = metric_json(outcome.check.bound);
  }
  json["ok"] = outcome.ok;
  return json;
}

double number_of(const MetricValue& value) {
  Metrics one;
  one.set("value", value);
  return one.number("value").value_or(std::numeric_limits<double>::quiet_NaN());
}

double margin_of(const CheckOutcome& outcome) {
  const double value = number_of(outcome.value), bound = number_of(outcome.check.bound);
  if (outcome.check.rule == Rule::equals || !std::isfinite(value) || !std::isfinite(bound)) {
    return outcome.ok ? std::numeric_limits<double>::infinity() : -1.0;
  }
  const double distance = outcome.check.rule == Rule::below ? bound - value : value - bound;
  return bound == 0.0 ? distance : distance / std::abs(bound);
}

}  // namespace

BatchRecord record_of(const std::vector<std::string>& command, std::string_view metrics_json,
                      const InputFiles::Digests& inputs) {
  try {
    const Json json = Json::parse(metrics_json);
    BatchRecord record{
        .command = command, .outcome = json.at("verdict").get<std::string>(), .error = {}, .inputs = inputs};
    record.metrics = metrics_of(json.at("metrics"));
    for (const Json& check : json.at("checks")) record.checks.push_back(check_of(check));
    return record;
  } catch (const nlohmann::json::exception&) {
    throw InvalidValue("the job printed no result that a table can hold; give it to `aplomb` alone");
  }
}

std::string to_text(const BatchRecord& record) {
  Json json;
  json["command"] = record.command;
  json["outcome"] = record.outcome;
  if (record.is_error()) json["error"] = record.error;
  json["metrics"] = metrics_json(record.metrics);
  json["checks"] = Json::array();
  for (const CheckOutcome& check : record.checks) json["checks"].push_back(json_of(check));
  json["inputs"] = record.inputs;
  return json_text(json) + "\n";
}

BatchRecord parse_record(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    BatchRecord record{.command = json.at("command").get<std::vector<std::string>>(),
                       .outcome = json.at("outcome").get<std::string>(),
                       .error = json.value("error", std::string()),
                       .inputs = json.at("inputs").get<InputFiles::Digests>()};
    record.metrics = metrics_of(json.at("metrics"));
    for (const Json& check : json.at("checks")) record.checks.push_back(check_of(check));
    return record;
  } catch (const nlohmann::json::exception&) {
    throw InvalidValue(kDamaged);
  }
}

WorstCheck worst_check(const std::vector<CheckOutcome>& checks) {
  WorstCheck worst{.metric = {}, .margin = std::numeric_limits<double>::infinity()};
  for (const CheckOutcome& outcome : checks) {
    const double margin = margin_of(outcome);
    if (margin < worst.margin) worst = {.metric = outcome.check.metric, .margin = margin};
  }
  return worst;
}

}  // namespace aplomb
