#pragma once

#include <cstdint>

namespace CLI {
class Validator;
}

namespace aplomb {

/// Accepts a number from `low` to `high`. The message has the unit, and the value that was probably meant when the
/// number fits in a hundredth or a thousandth of it (centimetres, millimetres, grams).
CLI::Validator quantity(double low, double high, const char* unit);

/// Accepts a whole number of `things` ("runs") from `low` to `high`.
CLI::Validator count_of(const char* things, std::int64_t low, std::int64_t high);

}  // namespace aplomb
