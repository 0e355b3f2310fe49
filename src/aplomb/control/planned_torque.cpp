#include "aplomb/control/planned_torque.hpp"

#include <cmath>

#include "aplomb/motion/dynamics/planned_dynamics.hpp"

namespace aplomb {

Eigen::MatrixXd planned_torque(const RobotModel& model, const MotionPlan& plan, double speed) {
  return planned_dynamics(model, plan, speed).torque;
}

PeakTorque peak_torque(const RobotModel& model, const Eigen::MatrixXd& torque) {
  PeakTorque peak;
  for (int i = 0; i < model.num_joints(); ++i) {
    const double limit = model.joints()[static_cast<std::size_t>(i)].effort;
    if (!std::isfinite(limit) || !(limit > 0.0)) continue;
    const double ratio = torque.row(i).cwiseAbs().maxCoeff() / limit;
    if (ratio > peak.ratio) peak = {ratio, i};
  }
  return peak;
}

}  // namespace aplomb
