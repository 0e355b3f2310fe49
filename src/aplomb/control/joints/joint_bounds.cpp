#include "aplomb/control/joints/joint_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/control/controller.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kSpeedUp = 0.2;  // [s] in which a joint may reach its speed limit, if no acceleration is given. Tuned
constexpr double kAnySpeed = 10.0;  // [rad/s] speed limit of a joint whose URDF has none
// Fraction of its acceleration limit with which a joint brakes before its angle limit. The joints that hold feet and
// CoM meanwhile need the rest. Tuned.
constexpr double kBrakeFraction = 0.25;
constexpr double kAngleTolerance = 1e-9;  // [rad] rounding
constexpr double kLargestMargin = 0.25;   // largest margin over the joint's range: leaves half of the range

/// Largest speed from which a joint can stop within `distance` [rad] in discrete time: from (n + f) a dt it takes n
/// more ticks and the distance Σ (i + f) a dt² = (n + 1) (f + n/2) a dt², i from 0 to n. The continuous √(2 a distance)
/// would need more than a in the last ticks.
double stopping_speed(double distance, double acceleration) {
  if (!std::isfinite(distance)) return distance;
  const double change = acceleration * kControlPeriod;
  const double steps = std::max(distance, 0.0) / (change * kControlPeriod);
  const double n = std::floor(0.5 * (std::sqrt(1.0 + 8.0 * steps) - 1.0));
  return change * (steps / (n + 1.0) + 0.5 * n);
}

}  // namespace

JointBounds::JointBounds(const RobotModel& model, const Eigen::VectorXd& start, double margin, double acceleration)
    : margin_(margin),
      angle_lower_(model.num_joints()),
      angle_upper_(model.num_joints()),
      speed_(model.num_joints()),
      acceleration_(model.num_joints()),
      lower_(Eigen::VectorXd::Zero(model.num_joints())),
      upper_(Eigen::VectorXd::Zero(model.num_joints())) {
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    if (start[i] < joint.lower - kAngleTolerance || start[i] > joint.upper + kAngleTolerance) {
      constexpr double kDegree = std::numbers::pi / 180.0;
      throw InvalidValue(fmt::format(
          "task_priority cannot start with joint {} of {} at {:.1f} degrees: its limits are {:.1f} and {:.1f}; choose "
          "another start.posture or start.joint_offset_rad",
          joint.name, model.name(), start[i] / kDegree, joint.lower / kDegree, joint.upper / kDegree));
    }
    const double inside = std::min(margin, kLargestMargin * (joint.upper - joint.lower));
    angle_lower_[i] = std::min(joint.lower + inside, std::max(joint.lower, start[i]));
    angle_upper_[i] = std::max(joint.upper - inside, std::min(joint.upper, start[i]));
    speed_[i] = joint.velocity > 0.0 ? joint.velocity : kAnySpeed;
    acceleration_[i] = acceleration > 0.0 ? acceleration : speed_[i] / kSpeedUp;
  }
}

void JointBounds::keep_bent(int joint, double angle, double start) {
  double& lower = angle_lower_[joint];
  double& upper = angle_upper_[joint];
  if (start >= angle)
    lower = std::max(lower, std::min(angle + margin_, start));
  else
    upper = std::min(upper, std::max(angle - margin_, start));
}

void JointBounds::update(const Eigen::Ref<const Eigen::VectorXd>& angles,
                         const Eigen::Ref<const Eigen::VectorXd>& rates) {
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    const double brake = kBrakeFraction * acceleration_[i];
    const double highest = std::min(speed_[i], stopping_speed(angle_upper_[i] - angles[i], brake));
    const double lowest = -std::min(speed_[i], stopping_speed(angles[i] - angle_lower_[i], brake));
    const double change = acceleration_[i] * kControlPeriod;
    // Where they contradict each other, the limits of angle and speed take precedence over that of acceleration.
    lower_[i] = std::clamp(rates[i] - change, lowest, highest);
    upper_[i] = std::clamp(rates[i] + change, lowest, highest);
  }
}

void JointBounds::remove() {
  lower_.setConstant(-std::numeric_limits<double>::infinity());
  upper_.setConstant(std::numeric_limits<double>::infinity());
}

void JointBounds::keep_near(const Eigen::Ref<const Eigen::VectorXd>& angles,
                            const Eigen::Ref<const Eigen::VectorXd>& measured, const Eigen::VectorXd& distance) {
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    const double ahead = angles[i] - measured[i];
    // A joint that departs brakes; one that is too far away may only return.
    if (ahead > distance[i]) upper_[i] = std::max(lower_[i], std::min(upper_[i], 0.0));
    if (ahead < -distance[i]) lower_[i] = std::min(upper_[i], std::max(lower_[i], 0.0));
  }
}

}  // namespace aplomb
