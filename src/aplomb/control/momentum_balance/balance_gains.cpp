#include "aplomb/control/momentum_balance/balance_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "aplomb/control/joints/leg_springs.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Gains, over powers of ω. Damping: the paper's 40, 40, 20 /s of Γ11 and 20 /s of Γ21 (read without its "/m"), on its
// robot with ω = 3.57/s.
constexpr double kComDamping = 11.2, kHeightDamping = 5.6, kAngularDamping = 5.6;
// Along the ground the slow pole is 2.3 / 11.2 ω = 0.73/s: the CoM returns in 3 s, where the printed 8/s² takes 15 s.
// Vertical stiffness: (5.6 / 2)², critically damped.
constexpr double kComStiffness = 2.3, kHeightStiffness = 7.8;
// 30/s² and 10/s at ω = 3.57/s, nine tenths of critical damping: slower than the CoM's damping, so that the posture
// yields to it. Tuned.
constexpr double kPostureStiffness = 2.35, kPostureDamping = 2.8;

// Stiffness of a leg joint, over m g h: half of what would hold the body by springs alone (2 α = 1), since the
// commanded torques already hold it. Tuned.
constexpr double kLegSpring = 0.25;
constexpr int kAnkleJoints = 2;      // last joints of a leg, whose torques determine the CoP
constexpr double kAnkleShare = 0.1;  // their stiffness over that of the leg: small, so as not to move the CoP; tuned
// Natural frequency of a joint that moves its own branch only, over ω: above the posture's 1.5 ω. Tuned.
constexpr double kBranchFrequency = 5.0;
constexpr double kDampingRatio = 0.36;  // [k / ω] 0.1 s at ω = 3.57/s; tuned

// Posture weight of joints that carry no foot, against 1 for the legs: arms and trunk may swing. On one foot, this
// raises the largest push that is survived from 100 N to 170 N.
constexpr double kUpperBodyWeight = 0.03;

/// Whether each joint moves a part of an arm: what lies between the trunk and a hand, or beyond that hand.
std::vector<bool> arm_joints(const RobotModel& model) {
  std::vector<bool> is_arm(static_cast<std::size_t>(model.num_joints()), false);
  const Roles& roles = model.description().roles;
  std::optional<FrameId> trunk;
  if (!roles.trunk.empty()) trunk = model.frame(roles.trunk);
  for (Side side : {kLeft, kRight}) {
    if (roles.hand[side].empty()) continue;
    for (int joint : model.joint_chain(model.frame(roles.hand[side]), trunk))
      is_arm[static_cast<std::size_t>(joint)] = true;
  }
  const std::vector<bool> of_chains = is_arm;
  for (int i = 0; i < model.num_joints(); ++i) {
    const FrameId link = model.frame(model.joints()[static_cast<std::size_t>(i)].link);
    for (int joint : model.joint_chain(link)) {
      if (of_chains[static_cast<std::size_t>(joint)]) is_arm[static_cast<std::size_t>(i)] = true;
    }
  }
  return is_arm;
}

Eigen::VectorXd without_arms(const RobotModel& model, Eigen::VectorXd weight) {
  const std::vector<bool> is_arm = arm_joints(model);
  for (int i = 0; i < model.num_joints(); ++i) {
    if (is_arm[static_cast<std::size_t>(i)]) weight[i] = std::numeric_limits<double>::infinity();
  }
  return weight;
}

}  // namespace

BalanceGains BalanceGains::for_height(double height) {
  const double omega = std::sqrt(kGravity / height);
  return {.com_damping = omega * Eigen::Vector3d(kComDamping, kComDamping, kHeightDamping),
          .com_stiffness = omega * omega * Eigen::Vector3d(kComStiffness, kComStiffness, kHeightStiffness),
          .angular_damping = kAngularDamping * omega,
          .posture_stiffness = kPostureStiffness * omega * omega,
          .posture_damping = kPostureDamping * omega};
}

BalanceGains BalanceGains::as_printed(double mass, double height) {
  BalanceGains gains = for_height(height);
  gains.com_damping = Eigen::Vector3d(40.0, 40.0, 20.0) / mass;
  gains.com_stiffness = Eigen::Vector3d(8.0, 8.0, 3.0) / mass;
  gains.angular_damping = 20.0;
  return gains;
}

BalanceGains BalanceGains::for_settings(const MomentumBalance::Settings& settings, double mass, double height) {
  BalanceGains gains = settings.as_printed ? as_printed(mass, height) : for_height(height);
  gains.com_damping = settings.gain_scale * settings.com_damping.value_or(gains.com_damping);
  gains.com_stiffness = settings.gain_scale * settings.com_stiffness.value_or(gains.com_stiffness);
  gains.angular_damping = settings.gain_scale * settings.angular_damping.value_or(gains.angular_damping);
  gains.posture_stiffness = settings.posture_stiffness.value_or(gains.posture_stiffness);
  gains.posture_damping = settings.posture_damping.value_or(gains.posture_damping);
  return gains;
}

Eigen::VectorXd posture_weight(const RobotModel& model, bool excludes_arms) {
  Eigen::VectorXd weight = Eigen::VectorXd::Constant(model.num_joints(), kUpperBodyWeight);
  for (FrameId foot : sole_frames(model)) {
    for (int joint : model.joint_chain(foot)) weight[joint] = 1.0;
  }
  return excludes_arms ? without_arms(model, std::move(weight)) : weight;
}

Eigen::VectorXd printed_posture_weight(const RobotModel& model) {
  return without_arms(model, Eigen::VectorXd::Ones(model.num_joints()));
}

DriveGains DriveGains::for_robot(const RobotModel& model, const RobotState& posture, double height) {
  const double omega = std::sqrt(kGravity / height);
  RobotTerms terms(model, {});
  terms.update(posture);
  const double body = leg_stiffness(kLegSpring, model.mass(), height);
  DriveGains gains{.stiffness = Eigen::VectorXd::Zero(model.num_joints()),
                   .damping = Eigen::VectorXd::Zero(model.num_joints())};
  for (int i = 0; i < model.num_joints(); ++i) {
    const double inertia = terms.mass_matrix()(6 + i, 6 + i);
    gains.stiffness[i] = std::min(body, kBranchFrequency * kBranchFrequency * omega * omega * inertia);
  }
  for (FrameId foot : sole_frames(model)) {
    int order = 0;
    for (int joint : model.joint_chain(foot)) {
      gains.stiffness[joint] = order++ < kAnkleJoints ? kAnkleShare * body : body;
    }
  }
  for (int i = 0; i < model.num_joints(); ++i) {
    gains.damping[i] = leg_damping(kDampingRatio, gains.stiffness[i], omega);
  }
  return gains;
}

}  // namespace aplomb
