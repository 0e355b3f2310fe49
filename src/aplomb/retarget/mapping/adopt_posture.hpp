#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/likeness.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// The seated robot's posture, changed so that the pitch of its trunk and the flexion of its shoulders and elbows are
/// the person's, as far as joint limits allow it (damped least squares). Feet and both hips stay where they are, other
/// joints near `state`. Markers that are then laid over the robot keep the person's angles: laid over a robot that sits
/// otherwise, they would carry that difference through the whole motion.
RobotState adopt_posture(const RobotModel& robot, const Limbs& limbs, const RobotState& state,
                         const LimbAngles& person);

/// The same for a robot that stands: its feet stay where they are, its centre of mass comes above `com` (world x, y),
/// and its knees, too, have the person's flexion.
RobotState adopt_standing_posture(const RobotModel& robot, const Limbs& limbs, const RobotState& state,
                                  const LimbAngles& person, const Eigen::Vector2d& com);

}  // namespace aplomb
