#pragma once

#include <Eigen/Core>

#include "aplomb/motion/com_reference.hpp"

namespace aplomb {

/// References of a momentum balance for one tick.
struct BalanceReference {
  explicit BalanceReference(const Eigen::VectorXd& posture)
      : angle(posture), rate(Eigen::VectorXd::Zero(posture.size())), acceleration(rate) {}

  ComTarget com;
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();       ///< k* about the CoM [N m s]
  Eigen::Vector3d angular_momentum_rate = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::VectorXd angle, rate, acceleration;                        ///< joint references [rad], [rad/s], [rad/s²]
};

}  // namespace aplomb
