#include "aplomb/control/partial_force/holdable_force.hpp"

#include <algorithm>
#include <limits>

namespace aplomb {
namespace {

constexpr double kHeld = 0.9;  // fraction of a joint's torque limit for static loads; the rest is for motion; tuned

}  // namespace

HoldableForce::HoldableForce(const RobotModel& model, const RobotTerms& terms, std::span<const FrameId> feet)
    : limit_(model.num_joints()), torque_(Eigen::VectorXd::Zero(model.num_joints())) {
  for (int i = 0; i < model.num_joints(); ++i) {
    const bool carries_foot = std::ranges::any_of(
        feet, [&](FrameId foot) { return terms.frame(foot).jacobian.col(6 + i).squaredNorm() > 0.0; });
    limit_[i] = carries_foot ? std::numeric_limits<double>::infinity()
                             : kHeld * model.joints()[static_cast<std::size_t>(i)].effort;
  }
}

HoldableForce::Limit HoldableForce::find(const RobotTerms& terms, std::span<const ForceContact> hands) {
  torque_.setZero();
  for (const ForceContact& hand : hands) {
    if (hand.role != ContactRole::controlled) continue;
    torque_.noalias() += hand.jacobian.rightCols(torque_.size()).transpose() * hand.force;
  }
  Limit found;
  for (Eigen::Index i = 0; i < torque_.size(); ++i) {
    const double weight = terms.gravity()[6 + i];
    // |weight − share · torque| ≤ limit, on the side that a growing force approaches.
    const double room = torque_[i] > 0.0 ? limit_[i] + weight : limit_[i] - weight;
    const double needed = std::abs(torque_[i]);
    if (needed * found.share <= room) continue;
    found = {.share = std::clamp(room / needed, 0.0, found.share), .joint = static_cast<int>(i)};
  }
  return found;
}

}  // namespace aplomb
