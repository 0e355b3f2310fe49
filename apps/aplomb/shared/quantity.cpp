#include "shared/quantity.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace aplomb {

CLI::Validator quantity(double low, double high, const char* unit) {
  const auto is_inside = [low, high](double value) { return value >= low && value <= high; };  // NaN is not
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0.0;
        if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number [{}]", text, unit);
        if (is_inside(value)) return std::string();
        std::string message = fmt::format("{} {} is not within {:g} ... {:g} {}", text, unit, low, high, unit);
        for (const double factor : {100.0, 1000.0}) {
          if (!is_inside(value / factor)) continue;
          return message + fmt::format("; is {:g} {} meant?", value / factor, unit);
        }
        return message;
      },
      "");
}

CLI::Validator count_of(const char* things, std::int64_t low, std::int64_t high) {
  return CLI::Validator(
      [=](std::string& text) {
        std::int64_t value = 0;
        if (!CLI::detail::lexical_cast(text, value))
          return fmt::format("'{}' is not a whole number of {}", text, things);
        if (value >= low && value <= high) return std::string();
        return fmt::format("{} {} is not within {} ... {} {}", text, things, low, high, things);
      },
      "");
}

}  // namespace aplomb
