#include "aplomb/control/task_priority/standing_kinematics.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

std::array<FrameId, 2> feet_of(const RobotModel& model) {
  std::array<FrameId, 2> feet{};
  for (int side : {kLeft, kRight}) {
    if (!model.description().soles[side]) {
      throw InvalidValue(
          "task_priority: robot " + model.name() +
          " does not have two soles; add `soles` to its YAML (`aplomb info ROBOT --write-yaml` guesses)");
    }
    feet[static_cast<std::size_t>(side)] = model.frame(model.description().roles.foot[side]);
  }
  return feet;
}

std::vector<FrameId> with_feet(std::vector<FrameId> frames, const std::array<FrameId, 2>& feet) {
  frames.insert(frames.end(), feet.begin(), feet.end());
  std::ranges::sort(frames);
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

}  // namespace

StandingKinematics::StandingKinematics(const RobotModel& model, const RobotState& start, std::vector<FrameId> frames)
    : model_(&model), feet_(feet_of(model)), terms_(model, with_feet(std::move(frames), feet_)), state_(start) {
  state_.v.setZero();
  terms_.update(state_);
  T_plan_reference_ = terms_.frame(foot(reference_side_)).T_world_frame;
}

void StandingKinematics::move(const Eigen::Ref<const Eigen::VectorXd>& increment) {
  joint_positions(state_.q) += increment;
  update();
}

void StandingKinematics::update() {
  terms_.update(state_);
  T_plan_terms_ = T_plan_reference_ * terms_.frame(foot(reference_side_)).T_world_frame.inverse();
  // Base pose of the next tick: the corrected one of this tick.
  const Eigen::Quaterniond R_terms_base(Eigen::Vector4d(state_.q.segment<4>(3)));
  state_.q.head<3>() = T_plan_terms_ * Eigen::Vector3d(state_.q.head<3>());
  state_.q.segment<4>(3) = (Eigen::Quaterniond(T_plan_terms_.linear()) * R_terms_base).normalized().coeffs();
}

void StandingKinematics::stand_on(int side) {
  T_plan_reference_ = pose(foot(side));
  reference_side_ = side;
}

Eigen::Matrix3d StandingKinematics::R_plan_base() const {
  return Eigen::Quaterniond(Eigen::Vector4d(state_.q.segment<4>(3))).toRotationMatrix();
}

Eigen::Isometry3d StandingKinematics::pose(FrameId frame) const {
  return T_plan_terms_ * terms_.frame(frame).T_world_frame;
}

Eigen::Vector3d StandingKinematics::sole_centre(int side) const {
  return pose(foot(side)) * model_->description().soles[side]->centre();
}

void StandingKinematics::write_frame_jacobian(FrameId frame, Eigen::Ref<Eigen::MatrixXd> J) const {
  const FrameTerms& moved = terms_.frame(frame);
  const FrameTerms& reference = terms_.frame(foot(reference_side_));
  const Eigen::Vector3d arm = moved.T_world_frame.translation() - reference.T_world_frame.translation();
  // Velocity of the frame with the base held, less that of the same point moving with the reference foot.
  for (int i = 0; i < num_joints(); ++i) {
    const Eigen::Vector3d angular = reference.jacobian.col(6 + i).tail<3>();
    const Eigen::Vector3d linear = reference.jacobian.col(6 + i).head<3>() + angular.cross(arm);
    J.col(i).head<3>().noalias() = T_plan_terms_.linear() * (moved.jacobian.col(6 + i).head<3>() - linear);
    J.col(i).tail<3>().noalias() = T_plan_terms_.linear() * (moved.jacobian.col(6 + i).tail<3>() - angular);
  }
}

void StandingKinematics::write_com_jacobian(Eigen::Ref<Eigen::MatrixXd> J) const {
  const FrameTerms& reference = terms_.frame(foot(reference_side_));
  const Eigen::Vector3d arm = terms_.com() - reference.T_world_frame.translation();
  for (int i = 0; i < num_joints(); ++i) {
    const Eigen::Vector3d angular = reference.jacobian.col(6 + i).tail<3>();
    const Eigen::Vector3d linear = reference.jacobian.col(6 + i).head<3>() + angular.cross(arm);
    J.col(i).noalias() = T_plan_terms_.linear() * (terms_.com_jacobian().col(6 + i) - linear);
  }
}

}  // namespace aplomb
