#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Fills in trajectory and contacts of a plan, from its postures (one column per frame), its rise and its chair.
void fill_plan(const RobotModel& robot, const Limbs& limbs, const Eigen::MatrixXd& q, Retargeted& made);

}  // namespace aplomb
