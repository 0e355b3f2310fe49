#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "aplomb/core/result.hpp"

// Not installed, because it exposes the JSON library.

namespace aplomb {

/// The number, or null when it is not finite, since JSON has no such numbers.
nlohmann::ordered_json number_json(double number);

nlohmann::ordered_json metric_json(const MetricValue& value);
nlohmann::ordered_json metrics_json(const Metrics& metrics);  ///< an object, in the order of the metrics

/// The value that metric_json wrote; numbers that are not finite come back as null, in a list as NaN.
MetricValue parse_metric(const nlohmann::ordered_json& json);

/// The text of a document: UTF-8, bytes that are not UTF-8 replaced; in one line without `indent`.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace aplomb
