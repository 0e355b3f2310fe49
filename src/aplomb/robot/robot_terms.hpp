#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <span>
#include <vector>

#include "aplomb/robot/model_correction.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix3Xd = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Kinematics of one link's frame: linear rows, then angular ones, in world axes at the frame's origin. `jacobian * v`
/// is its classical velocity, `bias` its acceleration at v̇ = 0.
struct FrameTerms {
  Eigen::Isometry3d T_world_frame = Eigen::Isometry3d::Identity();
  Matrix6Xd jacobian;                    ///< J
  Vector6d velocity = Vector6d::Zero();  ///< J v
  Vector6d bias = Vector6d::Zero();      ///< J̇ v
};

/// Terms of the equation of motion, computed from model and state once per tick:  M v̇ + h = Sᵀτ + Σ Jᵀf.
class RobotTerms {
 public:
  /// Allocates; `model` must outlive this object. FrameTerms are computed for `frames`.
  RobotTerms(const RobotModel& model, std::span<const FrameId> frames);
  RobotTerms(RobotTerms&&) noexcept;
  ~RobotTerms();

  void update(const RobotState& state);  ///< never allocates
  /// Replaces the inertia of a body from the next update on; the model is unchanged. The first call allocates.
  void correct(const ModelCorrection& correction);

  const RobotModel& model() const { return *model_; }
  const Eigen::MatrixXd& mass_matrix() const { return mass_matrix_; }  ///< M(q), nv × nv, both triangles filled
  const Eigen::VectorXd& bias() const;                                 ///< h(q, v): Coriolis, centrifugal, gravity
  const Eigen::VectorXd& gravity() const { return gravity_; }          ///< g(q), h at rest

  double mass() const { return mass_; }
  const Eigen::Vector3d& com() const { return com_; }                             ///< c [m]
  const Eigen::Vector3d& com_velocity() const { return com_velocity_; }           ///< ċ [m/s]
  const Matrix3Xd& com_jacobian() const { return com_jacobian_; }                 ///< J_com: ċ = J_com v
  Eigen::Vector3d com_bias() const { return momentum_bias_.head<3>() / mass(); }  ///< J̇_com v

  /// A(q): linear momentum, then angular momentum about the CoM, in world axes:  (l; k) = A v.
  const Matrix6Xd& momentum_matrix() const;
  const Vector6d& momentum() const { return momentum_; }
  const Vector6d& momentum_bias() const { return momentum_bias_; }  ///< Ȧ v

  const FrameTerms& frame(FrameId frame) const;  ///< one of the frames given to the constructor

 private:
  struct Work;
  void update_centroid();
  void update_frame(std::size_t slot);

  const RobotModel* model_;
  std::unique_ptr<Work> work_;
  double mass_;  ///< total mass, corrections included [kg]
  std::vector<FrameId> frame_ids_;
  std::vector<int> slot_of_frame_;
  std::vector<FrameTerms> frames_;
  Eigen::MatrixXd mass_matrix_;
  Eigen::VectorXd gravity_;
  Eigen::Vector3d com_ = Eigen::Vector3d::Zero(), com_velocity_ = Eigen::Vector3d::Zero();
  Matrix3Xd com_jacobian_;
  Vector6d momentum_ = Vector6d::Zero(), momentum_bias_ = Vector6d::Zero();
};

inline constexpr double kGravity = 9.81;  ///< [m/s²], along −z

}  // namespace aplomb
