#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Reads a scenario's `vary`. Throws FileError, with the line, on a key that is unknown (with the nearest valid one) or
/// not a number, on an end outside the key's allowed range, and on low > high.
std::vector<VaryRange> read_vary(const YamlNode& scenario);

/// Keys that define or judge the runs as a whole: seed, checks, vary, search. No value of one run.
bool belongs_to_all_runs(std::string_view key);

/// Checks that `key` is a number that may differ between runs, and that `value` is valid for it; errors about the key
/// are reported at `origin`. Returns the key's schema. `doing` completes "only a number can be ...": "varied".
Schema require_number_key(const YamlNode& scenario, std::string_view key, const YamlOrigin& origin,
                          const YamlNode& value, std::string_view doing);

// Random values of one run of many. Each is a function of its arguments alone (the first 53 bits of a SHA-256 digest),
// so that a run does not depend on the number of runs, their order, or other varied keys.
double draw(const VaryRange& range, std::int64_t seed, std::int64_t run);
std::int64_t seed_of_run(std::int64_t seed, std::int64_t run);  ///< 0 to 2^53 - 1: exact as a double

}  // namespace aplomb
