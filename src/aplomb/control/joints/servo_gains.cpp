#include "aplomb/control/joints/servo_gains.hpp"

#include <cmath>
#include <vector>

#include "aplomb/control/joints/leg_springs.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Values of HOAP-3: its two ankles of 400 N m/rad and 20 N m s/rad have k = 20 m g h and d = 0.29 k/ω0 with the legs'
// compliance; so here 2 · 16 / 1.5 = 21 m g h. The table of docs/task_priority.md has the ZMP feedback's margins with
// half and double of both.
constexpr double kLegStiffness = 16.0;    // [m g h]
constexpr double kLegDamping = 0.3;       // [k / ω0]
constexpr double kBranchFrequency = 8.0;  // [ω0] natural frequency of joints that move their own branch. Tuned
// Compliance of a leg over that of its ankle: knee and hip are in series with it, and a force at the CoM's height bends
// the ankle most.
constexpr double kLegCompliance = 1.5;

}  // namespace

ServoGains ServoGains::for_robot(const RobotModel& model, const RobotState& posture, double height) {
  const Actuation& actuation = model.description().actuation;
  const int n = model.num_joints();
  ServoGains gains{.stiffness = Eigen::VectorXd::Constant(n, actuation.stiffness),
                   .damping = Eigen::VectorXd::Constant(n, actuation.damping)};
  if (actuation.kind == Actuation::Kind::servo) return gains;
  RobotTerms terms(model, {});
  terms.update(posture);
  const double omega0 = std::sqrt(kGravity / height);
  const double body = leg_stiffness(kLegStiffness, model.mass(), height);
  const double branch = kBranchFrequency * omega0;
  const std::vector<bool> carries = carries_body(model);
  for (int i = 0; i < n; ++i) {
    const double inertia = terms.mass_matrix()(6 + i, 6 + i);
    const bool is_leg = carries[static_cast<std::size_t>(i)];
    gains.stiffness[i] = is_leg ? body : branch * branch * inertia;
    gains.damping[i] = is_leg ? leg_damping(kLegDamping, body, omega0) : 2.0 * branch * inertia;
  }
  return gains;
}

BodySpring BodySpring::of(const RobotModel& model, const ServoGains& gains) {
  BodySpring spring;
  for (FrameId foot : sole_frames(model)) {
    const int ankle = model.joint_chain(foot).front();
    spring.stiffness += gains.stiffness[ankle] / kLegCompliance;
    spring.damping += gains.damping[ankle] / kLegCompliance;
  }
  return spring;
}

}  // namespace aplomb
