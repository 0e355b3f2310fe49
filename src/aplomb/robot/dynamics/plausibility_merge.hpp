#pragma once

#include "aplomb/robot/dynamics/plausibility.hpp"

namespace aplomb {

/// The bodies as the file has them, not yet judged: fixed links merged, mimic joints locked (with `repair` also joints
/// that move no mass), an empty root above a floating joint dropped. Throws FileError on a negative mass, and on a
/// floating or planar joint elsewhere.
BodyTree merge_fixed_links(const Urdf& urdf, InertiaPolicy policy);

}  // namespace aplomb
