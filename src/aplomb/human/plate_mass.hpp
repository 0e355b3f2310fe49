#pragma once

#include <optional>
#include <string>

#include "aplomb/human/rises.hpp"

namespace aplomb {

/// The body's mass as the plates tell it: m = Σ F_z / Σ (g + z̈) over the frames in which nothing but plates carries.
/// Which frames these are is found first: where F_z / (g + z̈) is at its upper level, within 5 % (a seat, a wall or the
/// ground beside a plate only ever takes from it). None without such a level of at least half a second.
struct PlateMass {
  double mass = 0.0;       ///< [kg]
  double deviation = 0.0;  ///< between stretches of half a second: standard error [kg]
  double seconds = 0.0;    ///< of recording used
};
std::optional<PlateMass> mass_from_plates(const BodyMotion& body, const GroundForces& forces);

/// What to say when the plates' mass is not the stated one: empty within 2 %.
std::string mass_warning(const PlateMass& plates, double stated_mass);

}  // namespace aplomb
