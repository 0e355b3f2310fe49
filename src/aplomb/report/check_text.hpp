#pragma once

#include <string>

#include "aplomb/core/result.hpp"

namespace aplomb {

const char* rule_name(Check::Rule rule);  ///< "equals", "below", "above": the key in a scenario and in metrics.json

/// A check's two numbers for display: four digits, or all digits where different numbers would look equal.
struct CheckText {
  std::string value;
  std::string bound;
};
CheckText text_of(const CheckOutcome& outcome);

std::string verdict_text(const Result& result);  ///< "pass", "fail", "not judged"
std::string count_text(const Result& result);    ///< "6 of 7 checks hold", "no checks were asked for"

}  // namespace aplomb
