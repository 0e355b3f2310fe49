#pragma once

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/whole_motion/motion_solver.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Samples a solved whole motion: postures, rates and accelerations are those of the cubic spline through its knots.
/// Contact forces are interpolated between the knots and corrected by the least change, in proportion to the load of
/// each contact, that satisfies the equation of motion of the base at every sample; torques follow by inverse dynamics.
/// Wrenches are about the points of `contacts`.
Trajectory motion_trajectory(const RobotModel& robot, const MotionTask& task, const WholeMotion& motion,
                             const ContactPlan& contacts, double rate_hz);

}  // namespace aplomb
