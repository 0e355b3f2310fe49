#include "aplomb/report/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aplomb {

const char* rule_name(Check::Rule rule) {
  switch (rule) {
    case Check::Rule::below:
      return "below";
    case Check::Rule::above:
      return "above";
    case Check::Rule::equals:
      break;
  }
  return "equals";
}

CheckText text_of(const CheckOutcome& outcome) {
  CheckText text{to_text(outcome.value), to_text(outcome.check.bound)};
  const double* value = std::get_if<double>(&outcome.value);
  const double* bound = std::get_if<double>(&outcome.check.bound);
  if (text.value == text.bound && value != nullptr && bound != nullptr && *value != *bound) {
    text = {fmt::format("{}", *value), fmt::format("{}", *bound)};
  }
  return text;
}

std::string verdict_text(const Result& result) {
  const std::string verdict = result.verdict();
  return verdict == "not_judged" ? "not judged" : verdict;
}

std::string count_text(const Result& result) {
  if (result.checks.empty()) return "no checks were asked for";
  const auto held = std::ranges::count_if(result.checks, [](const CheckOutcome& outcome) { return outcome.ok; });
  return fmt::format("{} of {} checks hold", held, result.checks.size());
}

}  // namespace aplomb
