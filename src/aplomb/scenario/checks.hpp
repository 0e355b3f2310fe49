#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {

/// One item of the list `checks` of a scenario or of an experiment: a condition on one metric, and the damage that
/// violates it.
Schema check_schema();

/// Throws FileError on an unknown metric, and on a bound that a metric of its kind cannot have.
Check read_check(const YamlView& view);

/// Every `fails_with` of `checks` must fit the file that it is written in. Throws FileError on an unknown key, a value
/// out of range, and a key that changes the judgement instead of what is judged (checks, search, vary, seed).
void require_valid_damage(const YamlNode& file, const Schema& schema);

}  // namespace aplomb
