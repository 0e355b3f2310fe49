#include "aplomb/core/metric_json.hpp"

#include <cmath>
#include <limits>

namespace aplomb {

using Json = nlohmann::ordered_json;

Json number_json(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json metric_json(const MetricValue& value) {
  struct Writer {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(double number) const { return number_json(number); }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const std::vector<double>& list) const {
      Json array = Json::array();
      for (const double number : list) array.push_back(number_json(number));
      return array;
    }
  };
  return std::visit(Writer{}, value);
}

Json metrics_json(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics.entries()) object[name] = metric_json(value);
  return object;
}

MetricValue parse_metric(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return {};
  std::vector<double> list;
  for (const Json& item : json) {
    list.push_back(item.is_null() ? std::numeric_limits<double>::quiet_NaN() : item.get<double>());
  }
  return list;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace aplomb
