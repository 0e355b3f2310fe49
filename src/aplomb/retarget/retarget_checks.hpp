#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// Checks of a retargeted motion, with bounds from the robot; docs/metrics.md, "Retarget", derives them. Those
/// on forces only of whole motions.
std::vector<Check> retarget_checks(const Retargeted& retargeted);

}  // namespace aplomb
