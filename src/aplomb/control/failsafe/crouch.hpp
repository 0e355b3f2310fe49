#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// The posture onto which a standing robot is lowered: both soles where they are, the CoM above the same point, the
/// pelvis lower by as much as the legs allow, up to a quarter of the CoM's height.
class Crouch {
 public:
  Crouch(const RobotModel& model, const RobotState& standing);
  bool is_possible() const { return angle_.size() > 0; }   ///< two feet, and at least a tenth of the height
  const Eigen::VectorXd& angle() const { return angle_; }  ///< joint angles [rad]

 private:
  Eigen::VectorXd angle_;
};

}  // namespace aplomb
