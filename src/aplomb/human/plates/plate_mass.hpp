#pragma once

#include <optional>
#include <string>

#include "aplomb/human/phases/rises.hpp"

namespace aplomb {

/// The body's mass as the plates tell it. Which frames they carry alone is found first: where F_z / (g + z̈) is at its
/// upper level, within 5 % (a seat, a wall or the ground beside a plate only ever takes from it). Through these frames
/// goes the line F_z = m g + swing m z̈: m is told by the force at z̈ = 0, since the swings of a body with soft parts are
/// some per cent larger than those of rigid segments. None without such a level of at least half a second.
struct PlateMass {
  double mass = 0.0;       ///< [kg]
  double deviation = 0.0;  ///< standard error, 2 × cut-off independent samples a second [kg]
  double swing = 1.0;    ///< measured over predicted swings of the vertical force; 1 when the body is too quiet to tell
  double seconds = 0.0;  ///< of recording used
};
std::optional<PlateMass> mass_from_plates(const CentroidalMotion& body, const GroundForces& forces);

/// What to say when the plates' mass is not the stated one: empty within 2 %.
std::string mass_warning(const PlateMass& plates, double stated_mass);

}  // namespace aplomb
