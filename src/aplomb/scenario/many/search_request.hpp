#pragma once

#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Reads a scenario's `search`, which must be present. Throws FileError, with the line, on a key that is unknown or not
/// a number, on ends outside the key's allowed range, on high < low, on more than a million
/// values, and on directions when the key belongs to no push.
SearchRequest read_search(const YamlNode& scenario);

}  // namespace aplomb
