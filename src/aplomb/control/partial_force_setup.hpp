#pragma once

#include <vector>

#include "aplomb/control/partial_force.hpp"

namespace aplomb {

// What PartialForce is put together from; all of it allocates.

/// Throws InvalidValue on a robot without soles. `sides` is filled with the side of each.
std::vector<FootContact> make_feet(const RobotModel& model, const RobotState& start,
                                   const PartialForce::Settings& settings, std::vector<Side>& sides);
/// Throws InvalidValue where a hand is asked for that the robot does not have.
std::vector<HandContact> make_hands(const RobotModel& model, const PartialForce::Settings& settings);
std::vector<FrameId> frames_of(const std::vector<FootContact>& feet, const std::vector<HandContact>& hands);
/// Of the right sizes, with zeros in it: the contacts; the levels limbs, CoM, posture.
ForceProblem force_problem_for(const RobotModel& model, const std::vector<FootContact>& feet,
                               const std::vector<HandContact>& hands);

}  // namespace aplomb
