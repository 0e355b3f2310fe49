#pragma once

#include "aplomb/retarget/likeness.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// The robot's posture, changed so that the pitch of its trunk and the flexion of its shoulders and elbows are the
/// person's, as far as joint limits allow it (damped least squares). Feet and mid-point of the hips stay where they
/// are, other joints near `state`. Markers that are then laid over the robot keep the person's angles: laid over a
/// robot that sits otherwise, they would carry that difference through the whole motion.
RobotState adopt_posture(const RobotModel& robot, const Limbs& limbs, const RobotState& state,
                         const LimbAngles& person);

}  // namespace aplomb
