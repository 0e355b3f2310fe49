#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/whole_motion/motion_task.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

struct RiseTaskOptions {
  double step_s = 0.02;
  double lead_s = 0.10;  ///< rest before the person's motion
  double tail_s = 0.30;  ///< time to come to rest after it
  double com_price = 3e3;
  double cop_margin_length = 0.04, cop_margin_width = 0.02;  ///< [m], at most a fraction of the sole
  double torque_reserve = 0.9, speed_reserve = 0.95;
  double marker_weight = 10.0, jerk_weight = 8e-9, force_rate_weight = 8e-3;
  double least_foot_force = 0.1;  ///< per weight
};

/// The whole-motion task of a rise: frames of the person's clip, mapped to the robot.
MotionTask make_rise_task(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                          const SeatedRobot& seated, const Overlay& overlay, const Eigen::Matrix3Xd& com_mapped,
                          const Eigen::MatrixXd& first_guess, const RiseTaskOptions& options);

}  // namespace aplomb
