#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace aplomb {

/// A metric's value. monostate is `null`: the quantity does not exist in this run.
using MetricValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>>;

/// Named values in the order in which they were set; the unit is the name's suffix.
class Metrics {
 public:
  void set(std::string_view name, MetricValue value);  ///< replaces an earlier value
  const MetricValue* find(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;  ///< value of a bool, an integer or a double
  const std::vector<std::pair<std::string, MetricValue>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, MetricValue>> entries_;
};

/// Condition that a scenario sets on one metric.
struct Check {
  enum class Rule { equals, below, above };
  std::string metric;
  Rule rule = Rule::equals;
  MetricValue bound;
  std::string reason{};                   ///< why the bound has this value; shown in the report, may be empty
  std::vector<std::string> fails_with{};  ///< overrides KEY=VALUE: the smallest damage that turns this check red
};

/// A check with the measured value. A check of a null or missing metric never holds, except `equals: null`.
struct CheckOutcome {
  Check check;
  MetricValue value;
  bool ok = false;
};

CheckOutcome judge(const Check& check, const Metrics& metrics);

/// An injected fault and the fallback taken.
struct Fault {
  std::string name;
  double start_s = 0.0;
  std::string fallback;
};

/// Origin of a result.
struct Provenance {
  std::string version;
  std::string commit;
  std::string robot_sha256;
  std::string scenario_sha256;
  std::int64_t seed = 0;
};

/// Result of a verb; `report/` writes it as metrics.json and timing.json and shows it.
struct Result {
  std::string verb;
  std::string scenario;
  Metrics metrics;
  Metrics timing;  ///< separate from the metrics, so that the same seed gives the same bytes there
  std::vector<CheckOutcome> checks;
  std::vector<Fault> faults;
  Provenance provenance;

  bool any_check_fails() const;
  bool all_checks_hold() const;  ///< false without checks
  std::string verdict() const;   ///< "pass", "fail", or "not_judged" without checks
};

/// "0.0011", "true", "null", "[1, 2]": text form of a value.
std::string to_text(const MetricValue& value);

}  // namespace aplomb
