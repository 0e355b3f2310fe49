#pragma once

#include "aplomb/core/settings/schema.hpp"

namespace aplomb {

/// Every key that a scenario may have: its type, range, unit and default. docs/scenarios.md is tested against it, and
/// an unknown key is an error, so that no input is silently ignored.
const Schema& scenario_schema();

}  // namespace aplomb
