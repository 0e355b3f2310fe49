#pragma once

#include <string>

#include "aplomb/core/result.hpp"

namespace aplomb {

const char* rule_name(Check::Rule rule);  ///< "equals", "below", "above": the key in a scenario and in metrics.json

/// A check's two numbers for people: four digits, or all where four would make the two look equal and they are not.
struct CheckText {
  std::string value;
  std::string bound;
};
CheckText text_of(const CheckOutcome& outcome);

std::string count_text(const Result& result);  ///< "6 of 7 checks hold"

}  // namespace aplomb
