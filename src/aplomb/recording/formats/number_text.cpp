#include "aplomb/recording/formats/number_text.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

template <typename Number>
void append(std::string& text, Number value) {
  if (std::isnan(value)) {
    text += "NaN";
    return;
  }
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  text.append(digits, result.ptr);
}

}  // namespace

Cell read_cell(const char*& at, const char* end, char separator, double& value) {
  while (at != end && *at == ' ') ++at;
  if (at == end || *at == separator) {
    value = std::numeric_limits<double>::quiet_NaN();
    return Cell::blank;
  }
  // std::from_chars rejects a plus sign, so skip it; "+-1" remains invalid.
  const char* first = *at == '+' && end - at > 1 && at[1] != '-' ? at + 1 : at;
  const std::from_chars_result result = std::from_chars(first, end, value);
  const char* stop = result.ptr;
  while (stop != end && *stop == ' ') ++stop;
  const bool is_whole = result.ec == std::errc() && (stop == end || *stop == separator);
  if (!is_whole) {
    while (at != end && *at != separator) ++at;
    return Cell::wrong;
  }
  at = stop;
  if (std::isnan(value)) return Cell::blank;
  return std::isfinite(value) ? Cell::number : Cell::wrong;
}

bool parse_number(std::string_view text, double& value) {
  const char* at = text.data();
  const char* end = at + text.size();
  return read_cell(at, end, '\0', value) == Cell::number && at == end;
}

void append_number(std::string& text, float value) { append(text, value); }
void append_number(std::string& text, double value) { append(text, value); }

}  // namespace aplomb
