#include "aplomb/report/result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "aplomb/report/check_text.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;  // of metrics.json; raised when a key changes its meaning

Json json_of(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json json_of(const MetricValue& value) {
  struct Writer {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(double number) const { return json_of(number); }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<double>& list) const {
      Json array = Json::array();
      for (const double number : list) array.push_back(json_of(number));
      return array;
    }
  };
  return std::visit(Writer{}, value);
}

Json json_of(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics.entries()) object[name] = json_of(value);
  return object;
}

Json json_of(const CheckOutcome& outcome) {
  return {{"metric", outcome.check.metric},
          {"value", json_of(outcome.value)},
          {rule_name(outcome.check.rule), json_of(outcome.check.bound)},
          {"ok", outcome.ok}};
}

Json json_of(const Fault& fault) {
  return {{"name", fault.name}, {"start_s", json_of(fault.start_s)}, {"fallback", fault.fallback}};
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

std::string text_of(const Json& json) {
  return json.dump(/*indent=*/2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Result& result) {
  Json json;
  json["schema"] = kSchema;
  json["verb"] = result.verb;
  json["scenario"] = result.scenario;
  json["verdict"] = result.verdict();
  json["metrics"] = json_of(result.metrics);
  json["checks"] = json_of(result.checks);
  json["faults"] = json_of(result.faults);
  json["provenance"] = json_of(result.provenance);
  return text_of(json);
}

std::string timing_to_json(const Result& result) { return text_of(json_of(result.timing)); }

}  // namespace aplomb
