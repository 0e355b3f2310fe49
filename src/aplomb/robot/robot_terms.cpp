#include "aplomb/robot/robot_terms.hpp"

#include <cassert>
#include <optional>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "aplomb/robot/dynamics/pinocchio_model.hpp"

namespace aplomb {

struct RobotTerms::Work {
  explicit Work(const PinocchioModel& rigid_bodies) : shared(rigid_bodies), data(rigid_bodies.model) {}
  const pinocchio::Model& model() const { return corrected ? *corrected : shared.model; }
  const PinocchioModel& shared;
  std::optional<pinocchio::Model> corrected;
  pinocchio::Data data;
};

RobotTerms::RobotTerms(const RobotModel& model, std::span<const FrameId> frames)
    : model_(&model),
      work_(std::make_unique<Work>(model.pinocchio())),
      mass_(model.mass()),
      frame_ids_(frames.begin(), frames.end()),
      slot_of_frame_(model.tree().links.size(), -1),
      frames_(frames.size()),
      mass_matrix_(Eigen::MatrixXd::Zero(model.nv(), model.nv())),
      gravity_(Eigen::VectorXd::Zero(model.nv())),
      com_jacobian_(Matrix3Xd::Zero(3, model.nv())) {
  for (std::size_t slot = 0; slot < frame_ids_.size(); ++slot) {
    slot_of_frame_[static_cast<std::size_t>(frame_ids_[slot])] = static_cast<int>(slot);
    // Columns of joints that do not move the frame are never written and remain zero.
    frames_[slot].jacobian = Matrix6Xd::Zero(6, model.nv());
  }
}

RobotTerms::RobotTerms(RobotTerms&&) noexcept = default;
RobotTerms::~RobotTerms() = default;

const Eigen::VectorXd& RobotTerms::bias() const { return work_->data.nle; }
const Matrix6Xd& RobotTerms::momentum_matrix() const { return work_->data.Ag; }

const FrameTerms& RobotTerms::frame(FrameId frame) const {
  const int slot = slot_of_frame_[static_cast<std::size_t>(frame)];
  assert(slot >= 0 && "this frame was not given to the constructor");
  return frames_[static_cast<std::size_t>(slot)];
}

void RobotTerms::correct(const ModelCorrection& correction) {
  if (!work_->corrected) work_->corrected = work_->shared.model;
  pinocchio::Inertia& known = work_->corrected->inertias[static_cast<std::size_t>(correction.body + 1)];
  mass_ += correction.inertia.mass - known.mass();
  known = pinocchio::Inertia(correction.inertia.mass, correction.inertia.com, correction.inertia.about_com);
}

void RobotTerms::update(const RobotState& state) {
  const pinocchio::Model& model = work_->model();
  pinocchio::Data& data = work_->data;
  // Two passes: the composite-body pass in world axes gives M, the joints' Jacobian columns, poses and the
  // centroidal momentum matrix; the inverse-dynamics pass at v̇ = 0 gives the bias h and every body's bias acceleration.
  // (With Ref arguments, Pinocchio's precompiled `crba` is used; with vectors it would be compiled here, in 40 s.)
  const Eigen::Ref<const Eigen::VectorXd> q(state.q);
  pinocchio::crba(model, data, q, pinocchio::Convention::WORLD);
  pinocchio::nonLinearEffects(model, data, q, state.v);
  mass_matrix_ = data.M;
  mass_matrix_.triangularView<Eigen::StrictlyLower>() = data.M.transpose().triangularView<Eigen::StrictlyLower>();
  momentum_.noalias() = data.Ag * state.v;
  update_centroid();
  for (std::size_t slot = 0; slot < frames_.size(); ++slot) update_frame(slot);
}

void RobotTerms::update_centroid() {
  const pinocchio::Data& data = work_->data;
  com_ = data.com[0];
  com_velocity_ = momentum_.head<3>() / mass();
  com_jacobian_ = data.Ag.topRows<3>() / mass();
  // Potential energy is m g c_z, so its gradient is the gravity vector.
  gravity_ = (mass() * kGravity) * com_jacobian_.row(2).transpose();
  // The base rows of h are the wrench that holds the robot at v̇ = 0, in base axes about the base's origin. Gravity
  // has no moment about the CoM; the rest is the rate of momentum Ȧ v.
  const pinocchio::SE3& base = data.oMi[1];
  const Eigen::Vector3d force = base.rotation() * data.nle.head<3>();
  const Eigen::Vector3d moment = base.rotation() * data.nle.segment<3>(3);
  momentum_bias_.head<3>() = force - Eigen::Vector3d(0.0, 0.0, mass() * kGravity);
  momentum_bias_.tail<3>() = moment + (base.translation() - com_).cross(force);
}

void RobotTerms::update_frame(std::size_t slot) {
  const pinocchio::Model& model = work_->model();
  const pinocchio::Data& data = work_->data;
  const PinocchioModel::Frame& at = work_->shared.frames[static_cast<std::size_t>(frame_ids_[slot])];
  FrameTerms& terms = frames_[slot];

  const pinocchio::SE3 pose = data.oMi[at.joint] * at.placement;
  terms.T_world_frame.linear() = pose.rotation();
  terms.T_world_frame.translation() = pose.translation();

  // Pinocchio's columns are twists at the world's origin: shift them to the frame's origin.
  for (pinocchio::JointIndex joint = at.joint; joint > 0; joint = model.parents[joint]) {
    const int first = model.idx_vs[joint];
    for (int column = first; column < first + model.nvs[joint]; ++column) {
      const Eigen::Vector3d angular = data.J.col(column).tail<3>();
      terms.jacobian.col(column).head<3>() = data.J.col(column).head<3>() + angular.cross(pose.translation());
      terms.jacobian.col(column).tail<3>() = angular;
    }
  }

  const pinocchio::Motion velocity = at.placement.actInv(data.v[at.joint]);
  const pinocchio::Motion acceleration = at.placement.actInv(data.a_gf[at.joint]);
  terms.velocity.head<3>() = pose.rotation() * velocity.linear();
  terms.velocity.tail<3>() = pose.rotation() * velocity.angular();
  // Spatial to classical acceleration (+ ω × v); subtract the upward acceleration by which the pass models gravity.
  terms.bias.head<3>() = pose.rotation() * (acceleration.linear() + velocity.angular().cross(velocity.linear())) -
                         Eigen::Vector3d(0.0, 0.0, kGravity);
  terms.bias.tail<3>() = pose.rotation() * acceleration.angular();
}

}  // namespace aplomb
