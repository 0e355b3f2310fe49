#include "aplomb/control/momentum_balance/foot_poses.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kSwingStiffness = 900.0, kSwingDamping = 60.0;  // [1/s²], [1/s] of a foot that steps; tuned
constexpr double kSmallTurn = 1e-4;                              // [rad] below, the factor of log is its limit, to 1e-9

}  // namespace

Vector6d pose_error(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to) {
  const Eigen::Vector3d moved = from.linear().transpose() * (to.translation() - from.translation());
  const Eigen::Vector3d turn = rotation_vector(from.linear().transpose() * to.linear());
  const double angle = turn.norm();
  // V⁻¹ p of the logarithm of SE(3): p − ½ θ × p + (1 − (θ/2) cot(θ/2)) / θ² θ × (θ × p)
  const double factor = angle < kSmallTurn ? 1.0 / 12.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
  Vector6d error;
  error.head<3>() = moved - 0.5 * turn.cross(moved) + factor * turn.cross(turn.cross(moved));
  error.tail<3>() = turn;
  return error;
}

FootPoses::FootPoses(const std::vector<BalanceContacts::Site>& sites, std::optional<double> stiffness, double damping)
    : sites_(sites), stiffness_(stiffness), damping_(damping), prescribed_(sites.size()) {}

void FootPoses::step(const std::optional<Stepping::Swing>& swing) {
  swing_ = swing;
  if (swing) stepping_ = swing->side;
}

/// Eq. 15 with a pose that moves, and its acceleration. Landed, the foot only comes to rest.
void FootPoses::follow_swing(const FrameTerms& foot, JointAccelerations::Prescribed& prescribed) {
  const Eigen::Vector3d velocity = foot.velocity.head<3>(), turning = foot.velocity.tail<3>();
  prescribed.is_fixed = true;
  prescribed.acceleration.head<3>() = -kSwingDamping * velocity;
  prescribed.acceleration.tail<3>() = -kSwingDamping * turning;
  if (!swing_) return;
  const Eigen::Vector3d away = swing_->pose.translation() - foot.T_world_frame.translation();
  const Eigen::Matrix3d& R = foot.T_world_frame.linear();
  const Eigen::Vector3d turn = R * rotation_vector(R.transpose() * swing_->pose.linear());
  prescribed.acceleration.head<3>() += swing_->acceleration + kSwingDamping * swing_->velocity + kSwingStiffness * away;
  prescribed.acceleration.tail<3>() += kSwingStiffness * turn;
  position_error_ = std::max(position_error_.value_or(0.0), away.norm());
  rotation_error_ = std::max(rotation_error_.value_or(0.0), turn.norm());
}

void FootPoses::update(const RobotTerms& terms, std::span<const Contact> contacts, const StandingFeet& standing) {
  position_error_.reset();
  rotation_error_.reset();
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (sites_[i].is_point) continue;
    std::optional<Left>& left = left_[sites_[i].side];
    const double swing = 1.0 - contacts[i].availability;
    prescribed_[i] = {};
    if (swing <= 0.0) {
      left.reset();
      if (!swing_ && stepping_ == sites_[i].side) stepping_.reset();
      continue;
    }
    const FrameTerms& foot = terms.frame(sites_[i].frame);
    if (stepping_ == sites_[i].side) {
      follow_swing(foot, prescribed_[i]);
      prescribed_[i].acceleration *= swing;
      continue;
    }
    if (!left) left = {foot.T_world_frame, standing.midpoint};
    Eigen::Isometry3d desired = left->pose;
    desired.translation() += standing.midpoint - left->standing;
    const Vector6d error = pose_error(foot.T_world_frame, desired);
    position_error_ = std::max(position_error_.value_or(0.0), error.head<3>().norm());
    rotation_error_ = std::max(rotation_error_.value_or(0.0), error.tail<3>().norm());
    if (!stiffness_) continue;
    const Eigen::Matrix3d& R = foot.T_world_frame.linear();
    const Eigen::Vector3d velocity = foot.velocity.head<3>(), turning = foot.velocity.tail<3>();
    JointAccelerations::Prescribed& prescribed = prescribed_[i];
    prescribed.is_fixed = true;
    // A twist's derivative in the foot's own frame is its classical acceleration less ω × v.
    prescribed.acceleration.head<3>() =
        R * (*stiffness_ * error.head<3>()) + damping_ * (standing.velocity - velocity) + turning.cross(velocity);
    prescribed.acceleration.tail<3>() = R * (*stiffness_ * error.tail<3>()) - damping_ * turning;
    prescribed.acceleration *= swing;  // while its load is taken off or put on, the ground has a share
  }
}

}  // namespace aplomb
