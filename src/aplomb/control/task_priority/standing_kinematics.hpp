#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Kinematics of the commanded configuration of a robot that stands on a reference foot, as a function of its joints
/// alone. All poses are in the plan frame, in which the reference foot does not move; at the start it is the world
/// frame.
class StandingKinematics {
 public:
  /// `frames`: those of pose() and write_frame_jacobian(), besides the feet. Both feet need a sole. `model` must
  /// outlive this object.
  StandingKinematics(const RobotModel& model, const RobotState& start, std::vector<FrameId> frames);

  /// Adds `increment` [rad] to the joint angles. Never allocates, as all below.
  void move(const Eigen::Ref<const Eigen::VectorXd>& increment);
  /// Makes a foot the reference foot. It keeps its present pose, so that no pose jumps.
  void stand_on(int side);

  int num_joints() const { return model_->num_joints(); }
  int reference_side() const { return reference_side_; }
  FrameId foot(int side) const { return feet_[static_cast<std::size_t>(side)]; }
  auto joints() const { return joint_positions(state_.q); }
  const RobotTerms& terms() const { return terms_; }  ///< terms of the commanded configuration at rest
  Eigen::Matrix3d R_plan_base() const;

  Eigen::Isometry3d pose(FrameId frame) const;  ///< T_plan_frame
  Eigen::Vector3d com() const { return T_plan_terms_ * terms_.com(); }
  Eigen::Vector3d sole_centre(int side) const;

  /// Jacobian of a frame's linear and angular velocity, in axes of the plan frame: 6 rows, one column per joint.
  void write_frame_jacobian(FrameId frame, Eigen::Ref<Eigen::MatrixXd> J) const;
  void write_com_jacobian(Eigen::Ref<Eigen::MatrixXd> J) const;  ///< 3 rows

 private:
  void update();

  const RobotModel* model_;
  std::array<FrameId, 2> feet_;
  RobotTerms terms_;
  RobotState state_;
  int reference_side_ = 1;
  Eigen::Isometry3d T_plan_reference_ = Eigen::Isometry3d::Identity();
  /// Correction of the base pose, which is set before the feet's poses are known: puts the reference foot at
  /// T_plan_reference_. Close to the identity.
  Eigen::Isometry3d T_plan_terms_ = Eigen::Isometry3d::Identity();
};

}  // namespace aplomb
