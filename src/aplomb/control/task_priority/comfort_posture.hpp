#pragma once

#include <Eigen/Core>

#include "aplomb/control/task_priority.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Joint velocities toward a comfortable posture, the lowest level of the hierarchy:
///   q̇_j = −β 2 (q − q_med) / (q_max − q_min)²   (Galdeano et al. 2014, eq. 15, with the sign that attracts)
class ComfortPosture {
 public:
  /// `start`: joint angles at the start; a joint without limits is attracted there in any case.
  ComfortPosture(const RobotModel& model, const Eigen::VectorXd& start, TaskPriority::Comfort comfort, double gain);

  void update(const Eigen::Ref<const Eigen::VectorXd>& joints) { rates_ = factor_.cwiseProduct(angles_ - joints); }
  const Eigen::VectorXd& rates() const { return rates_; }  ///< [rad/s]

 private:
  Eigen::VectorXd angles_;  ///< q_med [rad]
  Eigen::VectorXd factor_;  ///< 2 β / (q_max − q_min)² [1/s]
  Eigen::VectorXd rates_;
};

}  // namespace aplomb
