#include "aplomb/control/momentum_balance/balance_gains.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/joints/leg_springs.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr int kAnkleJoints = 2;  // the last joints before a sole: what they do is the CoP's affair
constexpr double kAnkleShare = 0.1;
constexpr double kUpperBodyWeight = 0.03;

}  // namespace

BalanceGains BalanceGains::for_height(double height) {
  const double omega = std::sqrt(kGravity / height);
  return {.com_damping = omega * Eigen::Vector3d(11.2, 11.2, 5.6),
          .com_stiffness = omega * omega * Eigen::Vector3d(2.3, 2.3, 7.8),
          .angular_damping = 5.6 * omega,
          .posture_stiffness = 2.35 * omega * omega,
          .posture_damping = 2.8 * omega};
}

Eigen::VectorXd posture_weight(const RobotModel& model) {
  Eigen::VectorXd weight = Eigen::VectorXd::Constant(model.num_joints(), kUpperBodyWeight);
  for (FrameId foot : sole_frames(model)) {
    for (int joint : model.joint_chain(foot)) weight[joint] = 1.0;
  }
  return weight;
}

DriveGains DriveGains::for_robot(const RobotModel& model, const RobotState& posture, double height) {
  const double omega = std::sqrt(kGravity / height);
  RobotTerms terms(model, {});
  terms.update(posture);
  const double body = leg_stiffness(0.25, model.mass(), height);
  DriveGains gains{.stiffness = Eigen::VectorXd::Zero(model.num_joints()),
                   .damping = Eigen::VectorXd::Zero(model.num_joints())};
  for (int i = 0; i < model.num_joints(); ++i) {
    const double inertia = terms.mass_matrix()(6 + i, 6 + i);
    gains.stiffness[i] = std::min(body, 25.0 * omega * omega * inertia);
  }
  for (FrameId foot : sole_frames(model)) {
    int order = 0;
    for (int joint : model.joint_chain(foot)) {
      gains.stiffness[joint] = order++ < kAnkleJoints ? kAnkleShare * body : body;
    }
  }
  gains.damping = 0.36 / omega * gains.stiffness;
  return gains;
}

}  // namespace aplomb
