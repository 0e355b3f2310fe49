#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/whole_motion/motion_task.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Prices and margins of a whole motion (docs/retargeting.md has the reasons and what each costs).
struct ClipTaskOptions {
  Eigen::Index stride = 2;       ///< samples of the clip per knot of the motion
  bool com_is_equation = false;  ///< the CoM as an equation instead of a price
  double com_price = 3e3;        ///< of the CoM's squared distance, beside markers of `marker_price`
  double marker_price = 10.0, jerk_price = 8e-9, force_rate_price = 8e-3;
  double friction_price = 1.0;  ///< of tangential forces, which an execution meets least surely
  double cop_margin_length = 0.04, cop_margin_width = 0.025;  ///< [m], at most a fraction of the sole
  double torque_reserve = 0.9, speed_reserve = 0.95;          ///< fractions of the limits
  double least_foot_force = 0.1;                              ///< smallest force of a foot per weight
};

/// What a clip of a person asks of a robot.
struct ClipTask {
  const RobotModel& robot;
  const Limbs& limbs;
  const HumanPath& human;  ///< on the plan's clock
  const SeatedRobot& seated;
  const Overlay& overlay;
  const Eigen::Matrix3Xd& com;   ///< reference of the CoM by sample of the plan [m]
  const Eigen::MatrixXd& guess;  ///< first guess of the postures by sample of the plan
};

/// The whole-motion task of a clip.
MotionTask make_motion_task(const ClipTask& clip, const ClipTaskOptions& options);

}  // namespace aplomb
