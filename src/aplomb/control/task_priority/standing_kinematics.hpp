#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Kinematics of a robot that stands on a reference foot: what its joints alone decide about. All poses are in the
/// plan's frame, in which the reference foot does not move; at the start that is the world. The configuration is the
/// commanded one, integrated from the joints' speeds.
class StandingKinematics {
 public:
  /// `frames` are those whose poses will be asked for; the feet's are always there. Both feet need a sole.
  /// `model` must outlive this object.
  StandingKinematics(const RobotModel& model, const RobotState& start, std::vector<FrameId> frames);

  /// Joint angles change by `increment` [rad]. Never allocates, as all below.
  void move(const Eigen::Ref<const Eigen::VectorXd>& increment);
  /// Makes a foot the reference: it stays where it is now, so that nothing jumps.
  void stand_on(int side);

  int num_joints() const { return model_->num_joints(); }
  int reference_side() const { return reference_side_; }
  FrameId foot(int side) const { return feet_[static_cast<std::size_t>(side)]; }
  auto joints() const { return state_.q.tail(model_->num_joints()); }
  const RobotTerms& terms() const { return terms_; }  ///< of the commanded configuration at rest
  Eigen::Matrix3d R_plan_base() const;

  Eigen::Isometry3d pose(FrameId frame) const;  ///< T_plan_frame
  Eigen::Vector3d com() const { return T_plan_terms_ * terms_.com(); }
  Eigen::Vector3d sole_centre(int side) const;

  /// Velocity of a frame's origin and its angular velocity, in the plan's axes: 6 rows, one column a joint.
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
  /// The base is placed before the feet's poses are known; this puts the reference foot where it belongs. Close to 1.
  Eigen::Isometry3d T_plan_terms_ = Eigen::Isometry3d::Identity();
};

}  // namespace aplomb
