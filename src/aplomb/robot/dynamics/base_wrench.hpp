#pragma once

#include <Eigen/Core>

#include "aplomb/robot/dynamics/motion_derivatives.hpp"

namespace aplomb {

/// Contact wrench that a motion needs, from the base rows of the inverse dynamics, J_bᵀ w = τ_b: force, then moment
/// about the world's origin, in world axes [N, N m]; and its gradients with respect to x, ẋ and ẍ.
class BaseWrench {
 public:
  /// The value only; after MotionDerivatives::update() or update_values().
  void evaluate(const MotionDerivatives& derivatives);
  /// With gradients; after MotionDerivatives::update().
  void linearise(const MotionDerivatives& derivatives);

  using Vector = Eigen::Matrix<double, 6, 1>;
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  const Vector& value() const { return value_; }
  const Rows& by_position() const { return by_position_; }
  const Rows& by_rate() const { return by_rate_; }
  const Rows& by_acceleration() const { return by_acceleration_; }

 private:
  Vector value_ = Vector::Zero();
  Rows by_position_, by_rate_, by_acceleration_;
};

}  // namespace aplomb
