#pragma once

#include <Eigen/Core>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Trajectory of postures that were solved one by one, at the rate of `human`: rates by finite differences. It has no
/// wrenches; the seat's share of the load follows from the ZMP.
Trajectory frame_trajectory(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                            const SeatedRobot& seated, const Eigen::MatrixXd& q);

}  // namespace aplomb
