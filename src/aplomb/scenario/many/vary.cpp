#include "aplomb/scenario/many/vary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/overrides.hpp"

namespace aplomb {
namespace {

/// Number of significand bits of a double.
constexpr int kBits = 53;

/// Pseudo-random integer in [0, 2^53): a hash of the arguments.
std::int64_t hashed_number(std::string_view purpose, std::int64_t seed, std::int64_t run, std::string_view key) {
  const std::string digest = sha256(fmt::format("{}\n{}\n{}\n{}", purpose, seed, run, key));
  std::uint64_t bits = 0;
  std::from_chars(digest.data(), digest.data() + 16, bits, 16);
  return static_cast<std::int64_t>(bits >> (64 - kBits));
}

VaryRange read_range(const YamlNode& scenario, const YamlEntry& entry) {
  const YamlNode& low = entry.value.items.at(0);
  const YamlNode& high = entry.value.items.at(1);
  VaryRange range{.key = entry.key};
  for (const YamlNode* end : {&low, &high}) {
    const Schema schema = require_number_key(scenario, entry.key, entry.origin, *end, "varied");
    range.is_integer = schema.type == Schema::Type::integer;
    range.unit = schema.unit;
  }
  range.low = low.number().value();
  range.high = high.number().value();
  if (range.low > range.high) {
    throw FileError(entry.value.origin.place(),
                    fmt::format("vary: the range of {} goes from {} down to {}; give [{}, {}]", entry.key, low.text,
                                high.text, high.text, low.text));
  }
  return range;
}

}  // namespace

bool belongs_to_all_runs(std::string_view key) {
  static constexpr std::array<std::string_view, 4> kKeys = {"seed", "checks", "vary", "search"};
  return std::ranges::find(kKeys, key.substr(0, key.find('.'))) != kKeys.end();
}

Schema require_number_key(const YamlNode& scenario, std::string_view key, const YamlOrigin& origin,
                          const YamlNode& value, std::string_view doing) {
  if (belongs_to_all_runs(key)) {
    throw FileError(origin.place(),
                    fmt::format("'{}' cannot be {}: it belongs to the runs as a whole", shortened(key), doing));
  }
  YamlNode tried = scenario;
  Schema schema = set_value(tried, scenario_schema(), key, origin, value);
  if (schema.type != Schema::Type::number && schema.type != Schema::Type::integer) {
    throw FileError(origin.place(), fmt::format("'{}' is not a number but a {}: only a number can be {}",
                                                shortened(key), schema.type_text(), doing));
  }
  require_valid(tried, scenario_schema());
  return schema;
}

std::vector<VaryRange> read_vary(const YamlNode& scenario) {
  std::vector<VaryRange> ranges;
  const YamlNode* vary = scenario.find("vary");
  if (vary == nullptr) return ranges;
  for (const YamlEntry& entry : vary->entries) ranges.push_back(read_range(scenario, entry));
  return ranges;
}

double draw(const VaryRange& range, std::int64_t seed, std::int64_t run) {
  const double share = std::ldexp(static_cast<double>(hashed_number("vary", seed, run, range.key)), -kBits);  // [0, 1)
  if (range.is_integer) return range.low + std::floor(share * (range.high - range.low + 1.0));
  return std::min(range.high, range.low + share * (range.high - range.low));  // rounding may exceed `high`
}

std::int64_t seed_of_run(std::int64_t seed, std::int64_t run) { return hashed_number("seed", seed, run, ""); }

}  // namespace aplomb
