#pragma once

#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// For each joint: whether it lies between the base and a sole.
std::vector<bool> carries_body(const RobotModel& model);

/// Stiffness of the spring at a joint between base and sole: k = α m g h [N m/rad], with m the robot's mass [kg] and h
/// its CoM's height [m]. A body that leans by θ falls with the moment m g h θ, so the ankles of both feet together hold
/// it upright only with 2 α > 1.
inline double leg_stiffness(double alpha, double mass, double height) { return alpha * mass * kGravity * height; }

/// Damping of a joint with a spring of stiffness k: d = r k / ω0 [N m s/rad], with ω0 = √(g/h) [1/s]. Robots of any
/// size then sway alike in units of ω0. d / k = r / ω0 [s] is the time in which spring and damper relax without a mass.
inline double leg_damping(double ratio, double stiffness, double omega0) { return ratio * stiffness / omega0; }

}  // namespace aplomb
