#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Reads a scenario's `vary`. Throws FileError, at the line, on a key that the scenario cannot have (with the nearest
/// one) or that is not a number, on an end of the range that the key itself does not allow, and on low > high.
std::vector<VaryRange> read_vary(const YamlNode& scenario);

/// Checks that `value` can stand under `key` as a number that changes from run to run; errors about the key stand at
/// `origin`. Returns what may stand there. `doing` completes "only a number can be ...": "varied".
Schema require_number_key(const YamlNode& scenario, std::string_view key, const YamlOrigin& origin,
                          const YamlNode& value, std::string_view doing);

// What a run of many draws. Each is a function of its arguments alone (the first 53 bits of a SHA-256 digest), so that
// a run does not depend on how many there are, on which comes first, or on what else is varied.
double draw(const VaryRange& range, std::int64_t seed, std::int64_t run);
std::int64_t seed_of_run(std::int64_t seed, std::int64_t run);  ///< 0 to 2^53 - 1, which a double holds exactly

}  // namespace aplomb
