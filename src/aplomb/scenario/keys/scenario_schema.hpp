#pragma once

#include "aplomb/core/settings/schema.hpp"

namespace aplomb {

/// Every key that a scenario may have: its type, range, unit and default. docs/scenarios.md is tested against it, and
/// a key that is not here is an error, so that nothing a user writes is ignored.
const Schema& scenario_schema();

}  // namespace aplomb
