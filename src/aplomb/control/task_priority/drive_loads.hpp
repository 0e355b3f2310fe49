#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Load of each joint's drive, as a fraction of its torque limit.
class DriveLoads {
 public:
  /// `torque_scale`: factor on the drives' nominal torque limits.
  DriveLoads(const RobotModel& model, const Eigen::VectorXd& stiffness, double torque_scale);

  /// Compares commanded with measured joint angles [rad]. Never allocates.
  void measure(const Eigen::Ref<const Eigen::VectorXd>& commanded, const Eigen::Ref<const Eigen::VectorXd>& measured);
  /// Sets the torque that holds the commanded posture at rest [N m]. Never allocates.
  void hold(const Eigen::VectorXd& static_torque);

  const Eigen::VectorXd& static_load() const { return static_load_; }  ///< static torque over the scaled limit
  /// Torque of the servo spring, due to the joint's lag, over the torque limit.
  const Eigen::VectorXd& spring_load() const { return spring_load_; }
  double largest_spring_load() const { return largest_spring_load_; }
  double drift() const { return drift_; }  ///< largest |commanded − measured| joint angle [rad]
  /// Lag behind the command above which a joint counts as blocked [rad].
  const Eigen::VectorXd& largest_drift() const { return largest_drift_; }

 private:
  Eigen::VectorXd scaled_limit_;  ///< [N m]
  Eigen::VectorXd load_per_rad_;  ///< stiffness over torque limit [1/rad]
  Eigen::VectorXd largest_drift_;
  Eigen::VectorXd static_load_, spring_load_;
  double largest_spring_load_ = 0.0, drift_ = 0.0;
};

}  // namespace aplomb
