#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {

/// A scenario's `search`: which value is looked for, and where.
struct SearchRequest {
  std::string key;              ///< "events.0.push.magnitude_n"
  std::string unit;             ///< of the key; empty: none
  double low = 0.0;             ///< in the key's unit
  double step = 0.0;            ///< > 0
  std::int64_t last_index = 0;  ///< the values are low + i step, i from 0 to this
  std::string direction_key;    ///< "events.0.push.direction_deg"; empty: one search, in no particular direction
  std::vector<double> directions_deg;

  double value(std::int64_t index) const;  ///< low + index step, without the digits that rounding adds
  bool is_push() const;                    ///< whether what is searched is a push's `magnitude_n`
  std::size_t num_searches() const { return direction_key.empty() ? 1 : directions_deg.size(); }
};

/// Reads a scenario's `search`, which must be there. Throws FileError, at the line, on a key that the scenario cannot
/// have or that is not a number, on ends that the key itself does not allow, on high < low, on more than a million
/// values, and on directions when the key belongs to no push.
SearchRequest read_search(const YamlNode& scenario);

}  // namespace aplomb
