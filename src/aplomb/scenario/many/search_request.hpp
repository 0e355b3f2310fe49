#pragma once

#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Reads a scenario's `search`, which must be there. Throws FileError, at the line, on a key that the scenario cannot
/// have or that is not a number, on ends that the key itself does not allow, on high < low, on more than a million
/// values, and on directions when the key belongs to no push.
SearchRequest read_search(const YamlNode& scenario);

}  // namespace aplomb
