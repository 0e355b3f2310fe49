#include "aplomb/control/joints/servo_gains.hpp"

#include <cmath>
#include <vector>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kBodyStiffness = 16.0;  // of m g h
constexpr double kBodyDamping = 0.3;     // [1] of k / ω0
constexpr double kBranchSpeed = 8.0;     // of ω0
// Ankle, knee and hip give way one after the other: a force at the CoM's height bends the ankle most.
constexpr double kLegCompliance = 1.5;

}  // namespace

std::vector<bool> carries_body(const RobotModel& model) {
  std::vector<bool> carries(static_cast<std::size_t>(model.num_joints()), false);
  const BodyTree& tree = model.tree();
  for (FrameId foot : sole_frames(model)) {
    for (int body = tree.links[static_cast<std::size_t>(foot)].body; body > 0;
         body = tree.bodies[static_cast<std::size_t>(body)].parent) {
      carries[static_cast<std::size_t>(body - 1)] = true;  // body i is moved by joint i − 1
    }
  }
  return carries;
}

ServoGains ServoGains::for_robot(const RobotModel& model, const RobotState& posture, double height) {
  const Actuation& actuation = model.description().actuation;
  const int n = model.num_joints();
  ServoGains gains{.stiffness = Eigen::VectorXd::Constant(n, actuation.stiffness),
                   .damping = Eigen::VectorXd::Constant(n, actuation.damping)};
  if (actuation.kind == Actuation::Kind::servo) return gains;
  RobotTerms terms(model, {});
  terms.update(posture);
  const double omega0 = std::sqrt(kGravity / height);
  const double body = kBodyStiffness * model.mass() * kGravity * height;
  const double branch = kBranchSpeed * omega0;
  const std::vector<bool> carries = carries_body(model);
  for (int i = 0; i < n; ++i) {
    const double inertia = terms.mass_matrix()(6 + i, 6 + i);
    const bool is_leg = carries[static_cast<std::size_t>(i)];
    gains.stiffness[i] = is_leg ? body : branch * branch * inertia;
    gains.damping[i] = is_leg ? kBodyDamping * body / omega0 : 2.0 * branch * inertia;
  }
  return gains;
}

BodySpring BodySpring::of(const RobotModel& model, const ServoGains& gains) {
  BodySpring spring;
  const BodyTree& tree = model.tree();
  for (FrameId foot : sole_frames(model)) {
    const int ankle = tree.links[static_cast<std::size_t>(foot)].body - 1;
    spring.stiffness += gains.stiffness[ankle] / kLegCompliance;
    spring.damping += gains.damping[ankle] / kLegCompliance;
  }
  return spring;
}

}  // namespace aplomb
