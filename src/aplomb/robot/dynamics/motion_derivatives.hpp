#pragma once

#include <Eigen/Geometry>
#include <memory>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

// Flat coordinates of a robot: base position [m], base yaw, pitch and roll (R = Rz Ry Rx) [rad], joint positions. They
// form a vector space, so that a motion is a spline in them and its rates are plain derivatives. Singular at a base
// pitch of ±90 degrees.

/// Flat coordinates of a configuration (as RobotState::q). Yaw is in (−π, π].
Eigen::VectorXd flat_coordinates(const Eigen::VectorXd& q);
/// Configuration of flat coordinates.
Eigen::VectorXd configuration_of(const Eigen::VectorXd& flat);
/// v of RobotState for rates of the flat coordinates.
Eigen::VectorXd velocity_of(const Eigen::VectorXd& flat, const Eigen::VectorXd& rates);
/// v̇ for first and second derivatives of the flat coordinates.
Eigen::VectorXd acceleration_of(const Eigen::VectorXd& flat, const Eigen::VectorXd& rates,
                                const Eigen::VectorXd& accelerations);

/// Inverse dynamics of a motion in flat coordinates x, without contacts, and its derivatives:
///   τ(x, ẋ, ẍ) = M ẍ + h,   ∂τ/∂x, ∂τ/∂ẋ, ∂τ/∂ẍ = M.
/// The first six rows are the generalised forces of the base coordinates: those of the contacts equal them. Never
/// allocates after construction.
class MotionDerivatives {
 public:
  explicit MotionDerivatives(const RobotModel& model);  ///< `model` must outlive this object
  MotionDerivatives(MotionDerivatives&&) noexcept;
  ~MotionDerivatives();

  int size() const { return size_; }  ///< number of flat coordinates
  void update(const Eigen::VectorXd& x, const Eigen::VectorXd& rates, const Eigen::VectorXd& accelerations);
  /// τ, poses, columns and CoM without the derivatives: about five times as fast.
  void update_values(const Eigen::VectorXd& x, const Eigen::VectorXd& rates, const Eigen::VectorXd& accelerations);

  const Eigen::VectorXd& torque() const { return torque_; }            ///< τ [N, N m]
  const Eigen::MatrixXd& by_position() const { return by_position_; }  ///< ∂τ/∂x
  const Eigen::MatrixXd& by_rate() const { return by_rate_; }          ///< ∂τ/∂ẋ
  const Eigen::MatrixXd& mass_matrix() const { return mass_matrix_; }  ///< ∂τ/∂ẍ

  /// Twist of the bodies that coordinate i moves, per unit of its rate: linear part at the world's origin, then angular
  /// part, in world axes.
  const Matrix6Xd& columns() const { return columns_; }
  /// Whether coordinate `column` moves `body` (numbered as in TreeKinematics).
  bool moves(int column, int body) const { return moves_(column, body) != 0; }
  const Eigen::Isometry3d& pose(int body) const { return poses_[static_cast<std::size_t>(body)]; }
  const Eigen::Vector3d& com() const { return com_; }              ///< [m]
  const Matrix3Xd& com_jacobian() const { return com_jacobian_; }  ///< ∂c/∂x

 private:
  struct Work;
  void read_kinematics();
  std::unique_ptr<Work> work_;
  int size_ = 0;
  Eigen::VectorXd torque_;
  Eigen::MatrixXd by_position_, by_rate_, mass_matrix_;
  Matrix6Xd columns_;
  Eigen::Matrix<char, Eigen::Dynamic, Eigen::Dynamic> moves_;
  std::vector<Eigen::Isometry3d> poses_;
  Eigen::Vector3d com_ = Eigen::Vector3d::Zero();
  Matrix3Xd com_jacobian_;
};

}  // namespace aplomb
