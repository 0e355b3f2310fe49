#include "aplomb/core/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aplomb {
namespace {

std::optional<double> as_number(const MetricValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

bool is_bool(const MetricValue& value) { return std::holds_alternative<bool>(value); }

bool equal(const MetricValue& a, const MetricValue& b) {
  const auto left = as_number(a);
  const auto right = as_number(b);
  if (left && right && is_bool(a) == is_bool(b)) return *left == *right;
  return a == b;
}

}  // namespace

void Metrics::set(std::string_view name, MetricValue value) {
  const auto found = std::ranges::find(entries_, name, [](const auto& entry) { return std::string_view(entry.first); });
  if (found != entries_.end()) {
    found->second = std::move(value);
  } else {
    entries_.emplace_back(name, std::move(value));
  }
}

const MetricValue* Metrics::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, [](const auto& entry) { return std::string_view(entry.first); });
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<double> Metrics::number(std::string_view name) const {
  const MetricValue* value = find(name);
  return value == nullptr ? std::nullopt : as_number(*value);
}

CheckOutcome judge(const Check& check, const Metrics& metrics) {
  CheckOutcome outcome{.check = check, .value = {}, .ok = false};
  const MetricValue* value = metrics.find(check.metric);
  if (value == nullptr) return outcome;
  outcome.value = *value;
  if (check.rule == Check::Rule::equals) {
    outcome.ok = equal(*value, check.bound);
    return outcome;
  }
  const auto number = as_number(*value);
  const auto bound = as_number(check.bound);
  // A NaN compares false either way, so it never passes.
  if (number && bound) outcome.ok = check.rule == Check::Rule::below ? *number < *bound : *number > *bound;
  return outcome;
}

bool Result::any_check_fails() const {
  return std::ranges::any_of(checks, [](const CheckOutcome& outcome) { return !outcome.ok; });
}

bool Result::all_checks_hold() const { return !checks.empty() && !any_check_fails(); }

std::string Result::verdict() const {
  if (checks.empty()) return "not_judged";
  return any_check_fails() ? "fail" : "pass";
}

std::string to_text(const MetricValue& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t count) const { return fmt::format("{}", count); }
    std::string operator()(double number) const { return fmt::format("{:.4g}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<double>& list) const {
      return fmt::format("[{:.4g}]", fmt::join(list, ", "));
    }
  };
  return std::visit(Writer{}, value);
}

}  // namespace aplomb
