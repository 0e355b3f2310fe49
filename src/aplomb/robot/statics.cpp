#include "aplomb/robot/statics.hpp"

namespace aplomb {

std::vector<FrameId> sole_frames(const RobotModel& model) {
  std::vector<FrameId> frames;
  for (int side : {kLeft, kRight}) {
    if (model.description().soles[side]) frames.push_back(model.frame(model.description().roles.foot[side]));
  }
  return frames;
}

StaticTorque::StaticTorque(const RobotModel& model)
    : model_(&model), rest_(Eigen::VectorXd::Zero(model.nv())), torque_(Eigen::VectorXd::Zero(model.num_joints())) {
  for (int side : {kLeft, kRight}) {
    if (model.description().soles[side]) feet_[side] = model.frame(model.description().roles.foot[side]);
  }
}

const Eigen::VectorXd& StaticTorque::compute(const RobotTerms& terms, const std::array<double, 2>& shares) {
  rest_ = terms.gravity();
  const double weight = terms.mass() * kGravity;
  std::array<Eigen::Vector3d, 2> sole_centre, force;
  Eigen::Vector3d moment_to_balance = Eigen::Vector3d::Zero();
  for (int side : {kLeft, kRight}) {
    if (!feet_[side]) continue;
    sole_centre[side] = terms.frame(*feet_[side]).T_world_frame * model_->description().soles[side]->centre();
    force[side] = Eigen::Vector3d(0.0, 0.0, shares[side] * weight);
    moment_to_balance -= (sole_centre[side] - terms.com()).cross(force[side]);
  }
  for (int side : {kLeft, kRight}) {
    if (!feet_[side]) continue;
    const FrameTerms& foot = terms.frame(*feet_[side]);
    Vector6d wrench;  // world axes, about the foot's origin
    wrench.head<3>() = force[side];
    wrench.tail<3>() =
        (sole_centre[side] - foot.T_world_frame.translation()).cross(force[side]) + shares[side] * moment_to_balance;
    rest_.noalias() -= foot.jacobian.transpose() * wrench;
  }
  base_residual_ = rest_.head<6>();
  torque_ = rest_.tail(model_->num_joints());
  return torque_;
}

}  // namespace aplomb
