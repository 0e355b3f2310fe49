#pragma once

#include <optional>
#include <string>

#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

std::optional<PlateMass> mass_from_plates(const CentroidalMotion& body, const GroundForces& forces);

/// Warning when the plates' mass differs from the stated one by more than 2 %; else empty.
std::string mass_warning(const PlateMass& plates, double stated_mass);

}  // namespace aplomb
