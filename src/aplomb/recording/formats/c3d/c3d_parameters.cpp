#include "aplomb/recording/formats/c3d/c3d_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

std::size_t width(C3dParameter::Type type) { return static_cast<std::size_t>(std::abs(static_cast<int>(type))); }

template <typename Value>
void append_bytes(std::string& bytes, Value value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  bytes.append(raw.data(), raw.size());
}

std::string continued(std::string_view name, int part) {
  return part == 1 ? std::string(name) : fmt::format("{}{}", name, part);
}

}  // namespace

std::size_t C3dParameter::num_numbers() const { return type == Type::text ? 0 : bytes.size() / width(type); }

double C3dParameter::number(std::size_t index) const {
  const char* at = bytes.data() + index * width(type);
  if (type == Type::byte) return static_cast<signed char>(*at);
  if (type == Type::integer) return static_cast<std::int16_t>(word_at<Processor::intel>(at));
  return static_cast<double>(real_at<Processor::intel>(at));
}

std::optional<double> C3dParameter::find_number(std::size_t index) const {
  if (index >= num_numbers()) return std::nullopt;
  const double value = number(index);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> C3dParameter::find_count(std::size_t index) const {
  std::optional<double> value = find_number(index);
  if (!value) return std::nullopt;
  if (type == Type::byte && *value < 0.0) *value += 256.0;
  if (type == Type::integer && *value < 0.0) *value += 65536.0;
  if (*value < 0.0 || *value > 1e15) return std::nullopt;
  return static_cast<std::size_t>(*value);
}

std::size_t C3dParameter::num_texts() const {
  if (type != Type::text || bytes.empty()) return 0;
  return sizes.empty() ? 1 : bytes.size() / sizes[0];
}

std::string C3dParameter::text(std::size_t index) const {
  const std::size_t length = sizes.empty() ? 1 : sizes[0];
  const std::string_view padded = std::string_view(bytes).substr(index * length, length);
  return clean_label(padded.substr(0, padded.find('\0')));
}

C3dParameter C3dParameter::of_texts(std::string name, const std::vector<std::string>& texts) {
  C3dParameter parameter{.name = std::move(name), .type = Type::text};
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  if (length > 255 || texts.size() > 255) {
    throw InvalidValue(fmt::format("a text of {} letters does not fit a C3D file, which holds 255", length));
  }
  for (const std::string& text : texts) parameter.bytes += text + std::string(length - text.size(), ' ');
  parameter.sizes = {length, texts.size()};
  return parameter;
}

C3dParameter C3dParameter::of_reals(std::string name, const std::vector<double>& values,
                                    std::vector<std::size_t> sizes) {
  C3dParameter parameter{.name = std::move(name), .type = Type::real, .sizes = std::move(sizes)};
  for (const double value : values) append_bytes(parameter.bytes, static_cast<float>(value));
  return parameter;
}

C3dParameter C3dParameter::of_words(std::string name, const std::vector<std::uint16_t>& values) {
  C3dParameter parameter{.name = std::move(name), .type = Type::integer, .sizes = {values.size()}};
  for (const std::uint16_t value : values) append_bytes(parameter.bytes, value);
  return parameter;
}

C3dParameter C3dParameter::scalar(std::string name, double value) { return of_reals(std::move(name), {value}, {}); }

C3dParameter C3dParameter::scalar_word(std::string name, std::uint16_t value) {
  C3dParameter parameter = of_words(std::move(name), {value});
  parameter.sizes.clear();
  return parameter;
}

const C3dParameter* C3dGroup::find(std::string_view parameter) const {
  const auto found = std::ranges::find_if(parameters, [&](auto& other) { return same_word(other.name, parameter); });
  return found != parameters.end() ? &*found : nullptr;
}

void C3dGroup::set(C3dParameter parameter) {
  std::erase_if(parameters, [&](auto& other) { return same_word(other.name, parameter.name); });
  parameters.push_back(std::move(parameter));
}

const C3dParameter* C3dParameters::find(std::string_view group, std::string_view parameter) const {
  for (const C3dGroup& candidate : groups) {
    if (!same_word(candidate.name, group)) continue;
    if (const C3dParameter* found = candidate.find(parameter)) return found;
  }
  return nullptr;
}

C3dGroup& C3dParameters::group(std::string_view name) {
  for (C3dGroup& candidate : groups) {
    if (same_word(candidate.name, name)) return candidate;
  }
  groups.push_back({.name = std::string(name)});
  return groups.back();
}

std::optional<double> C3dParameters::number(std::string_view group, std::string_view parameter,
                                            std::size_t index) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr ? found->find_number(index) : std::nullopt;
}

std::optional<std::size_t> C3dParameters::count(std::string_view group, std::string_view parameter,
                                                std::size_t index) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr ? found->find_count(index) : std::nullopt;
}

std::string C3dParameters::text(std::string_view group, std::string_view parameter) const {
  const C3dParameter* found = find(group, parameter);
  return found != nullptr && found->num_texts() > 0 ? found->text(0) : std::string();
}

std::vector<std::string> C3dParameters::texts(std::string_view group, std::string_view name, std::size_t limit) const {
  std::vector<std::string> all;
  for (int part = 1; all.size() < limit; ++part) {
    const C3dParameter* found = find(group, continued(name, part));
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->num_texts() && all.size() < limit; ++i) all.push_back(found->text(i));
  }
  return all;
}

std::vector<double> C3dParameters::numbers(std::string_view group, std::string_view name, std::size_t limit,
                                           bool is_unsigned) const {
  std::vector<double> all;
  for (int part = 1; all.size() < limit; ++part) {
    const C3dParameter* found = find(group, continued(name, part));
    if (found == nullptr) break;
    for (std::size_t i = 0; i < found->num_numbers() && all.size() < limit; ++i) {
      const double value = found->number(i);
      const bool wraps = is_unsigned && value < 0.0 && found->type == C3dParameter::Type::integer;
      all.push_back(wraps ? value + 65536.0 : value);
    }
  }
  return all;
}

}  // namespace aplomb
