#pragma once

#include <optional>
#include <string>

#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

std::optional<PlateMass> mass_from_plates(const CentroidalMotion& body, const GroundForces& forces);

/// What to say when the plates' mass is not the stated one: empty within 2 %.
std::string mass_warning(const PlateMass& plates, double stated_mass);

}  // namespace aplomb
