#include "aplomb/control/joints/straight_legs.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr int kSamples = 60;      // samples per joint range: at most 6 degrees apart, to bracket the longest leg
constexpr int kRefinements = 40;  // steps of the ternary search: to (2/3)^40 = 1e-7 of 12 degrees

/// Length of a leg: distance from its first joint to its foot.
class LegLength {
 public:
  LegLength(const RobotModel& model, const RobotState& posture, FrameId hip, FrameId foot)
      : terms_(model, std::vector<FrameId>{hip, foot}), state_(posture), hip_(hip), foot_(foot) {}

  double with(int joint, double angle) {
    const double before = state_.q[7 + joint];
    state_.q[7 + joint] = angle;
    terms_.update(state_);
    state_.q[7 + joint] = before;
    return (terms_.frame(foot_).T_world_frame.translation() - terms_.frame(hip_).T_world_frame.translation()).norm();
  }

 private:
  RobotTerms terms_;
  RobotState state_;
  FrameId hip_, foot_;
};

/// Angle of the longest leg, by ternary search between two angles.
double longest_between(LegLength& leg, int joint, double low, double high) {
  for (int i = 0; i < kRefinements; ++i) {
    const double third = (high - low) / 3.0;
    const bool is_higher_above = leg.with(joint, low + third) < leg.with(joint, high - third);
    (is_higher_above ? low : high) += is_higher_above ? third : -third;
  }
  return 0.5 * (low + high);
}

/// The joint of a leg whose range changes the leg's length most.
StraightLeg knee_of(const RobotModel& model, const std::vector<int>& joints, LegLength& leg) {
  StraightLeg knee;
  double largest_change = 0.0;
  for (int joint : joints) {
    const Joint& limits = model.joints()[static_cast<std::size_t>(joint)];
    const double low = std::max(limits.lower, -std::numbers::pi), high = std::min(limits.upper, std::numbers::pi);
    const double step = (high - low) / kSamples;
    double longest = 0.0, shortest = std::numeric_limits<double>::infinity(), at = low;
    for (int i = 0; i <= kSamples; ++i) {
      const double length = leg.with(joint, low + i * step);
      shortest = std::min(shortest, length);
      if (length <= longest) continue;
      longest = length;
      at = low + i * step;
    }
    if (longest - shortest <= largest_change) continue;
    largest_change = longest - shortest;
    knee = {joint, longest_between(leg, joint, std::max(at - step, low), std::min(at + step, high))};
  }
  return knee;
}

}  // namespace

std::vector<StraightLeg> straight_legs(const RobotModel& model, const RobotState& posture) {
  std::vector<StraightLeg> legs;
  for (FrameId foot : sole_frames(model)) {
    const std::vector<int> joints = model.joint_chain(foot);
    if (joints.size() < 3) continue;  // no knee between hip and ankle
    LegLength leg(model, posture, model.frame(model.joints()[static_cast<std::size_t>(joints.back())].link), foot);
    legs.push_back(knee_of(model, joints, leg));
  }
  return legs;
}

}  // namespace aplomb
