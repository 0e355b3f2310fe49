#include "aplomb/report/result_json.hpp"

#include "aplomb/core/metric_json.hpp"
#include "aplomb/report/check_text.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;  // version of metrics.json's format; incremented when a key changes its meaning
constexpr int kIndent = 2;

Json json_of(const CheckOutcome& outcome) {
  Json json{{"metric", outcome.check.metric},
            {"value", metric_json(outcome.value)},
            {rule_name(outcome.check.rule), metric_json(outcome.check.bound)},
            {"ok", outcome.ok}};
  if (!outcome.check.reason.empty()) json["reason"] = outcome.check.reason;
  return json;
}

Json json_of(const Fault& fault) {
  return {{"name", fault.name}, {"start_s", number_json(fault.start_s)}, {"fallback", fault.fallback}};
}

Json json_of(const Provenance& provenance) {
  return {{"version", provenance.version},
          {"commit", provenance.commit},
          {"robot_sha256", provenance.robot_sha256},
          {"scenario_sha256", provenance.scenario_sha256},
          {"seed", provenance.seed}};
}

template <typename Item>
Json json_of(const std::vector<Item>& items) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(json_of(item));
  return array;
}

}  // namespace

std::string to_json(const Result& result) {
  Json json;
  json["schema"] = kSchema;
  json["verb"] = result.verb;
  json["scenario"] = result.scenario;
  json["verdict"] = result.verdict();
  json["metrics"] = metrics_json(result.metrics);
  json["checks"] = json_of(result.checks);
  json["faults"] = json_of(result.faults);
  json["provenance"] = json_of(result.provenance);
  return json_text(json, kIndent);
}

std::string timing_to_json(const Result& result) { return json_text(metrics_json(result.timing), kIndent); }

}  // namespace aplomb
