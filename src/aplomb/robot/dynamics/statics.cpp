#include "aplomb/robot/dynamics/statics.hpp"

#include <algorithm>

namespace aplomb {

std::vector<FrameId> sole_frames(const RobotModel& model) {
  std::vector<FrameId> frames;
  for (int side : {kLeft, kRight}) {
    if (model.description().soles[side]) frames.push_back(model.frame(model.description().roles.foot[side]));
  }
  return frames;
}

Wrench wrench_on_feet(const RobotModel& model, const RobotTerms& terms, const std::array<Wrench, 2>& foot_wrench) {
  Wrench sum;
  for (int side : {kLeft, kRight}) {
    if (!model.description().soles[side]) continue;
    const Eigen::Isometry3d& T_world_foot =
        terms.frame(model.frame(model.description().roles.foot[side])).T_world_frame;
    const Eigen::Vector3d force = T_world_foot.linear() * foot_wrench[side].force;
    sum.force += force;
    sum.moment += T_world_foot.linear() * foot_wrench[side].moment + T_world_foot.translation().cross(force);
  }
  return sum;
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
  const double feet_share = shares[kLeft] + shares[kRight];
  const double seat_moment = std::max(0.0, 1.0 - feet_share) * weight * kSeatLever * std::max(terms.com().z(), 0.0);
  // Unloaded feet exert no moment.
  const double feet_part = feet_share > 0.0 && moment_to_balance.norm() > seat_moment
                               ? (1.0 - seat_moment / moment_to_balance.norm()) / feet_share
                               : 0.0;
  for (int side : {kLeft, kRight}) {
    if (!feet_[side]) continue;
    const FrameTerms& foot = terms.frame(*feet_[side]);
    Vector6d wrench;  // world axes, about the foot's origin
    wrench.head<3>() = force[side];
    wrench.tail<3>() = (sole_centre[side] - foot.T_world_frame.translation()).cross(force[side]) +
                       shares[side] * feet_part * moment_to_balance;
    rest_.noalias() -= foot.jacobian.transpose() * wrench;
  }
  base_residual_ = rest_.head<6>();
  torque_ = rest_.tail(model_->num_joints());
  return torque_;
}

}  // namespace aplomb
