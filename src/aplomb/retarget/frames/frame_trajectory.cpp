#include "aplomb/retarget/frames/frame_trajectory.hpp"

#include <algorithm>
#include <utility>

#include "aplomb/retarget/frames/planned_forces.hpp"
#include "aplomb/retarget/mapping/arm_rests.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

/// Fraction of the contact force on the seat. The seat force acts a little in front of the hips, the force of the feet
/// at the ZMP of seat-off, so that the seat is unloaded by then.
Eigen::VectorXd seat_share(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                           const Trajectory& plan) {
  Eigen::VectorXd share = Eigen::VectorXd::Zero(plan.num_samples());
  TreeKinematics tree(robot);
  for (const ContactInterval& seat : human.contacts) {
    if (seat.site != ContactSite::seat) continue;
    tree.update(plan.q.col(seat.begin));
    const double seat_x = tree.point(limbs.pelvis, limbs.hips).x();
    const double feet_x = plan.zmp(0, seat.begin > 0 ? seat.begin - 1 : std::min(seat.end, plan.num_samples() - 1));
    for (Eigen::Index i = seat.begin; i < seat.end; ++i) {
      share[i] = std::clamp((feet_x - plan.zmp(0, i)) / (feet_x - seat_x), 0.0, 1.0);
      if (plan.hand_share.cols() > 0) share[i] *= 1.0 - plan.hand_share.col(i).sum();
    }
  }
  return share;
}

}  // namespace

Trajectory frame_trajectory(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                            const SeatedRobot& seated, const Eigen::MatrixXd& q) {
  PlannedForces forces = planned_forces(robot, q, human.rate_hz);
  Trajectory to;
  to.robot = robot.name();
  for (const Joint& joint : robot.joints()) to.joints.push_back(joint.name);
  to.rate_hz = human.rate_hz;
  to.q = q;
  to.v = std::move(forces.v);
  to.a = std::move(forces.a);
  to.com = std::move(forces.com);
  to.com_velocity = std::move(forces.com_velocity);
  to.com_acceleration = std::move(forces.com_acceleration);
  to.zmp = std::move(forces.zmp);
  to.force = std::move(forces.force);
  if (!seated.hands.empty()) to.hand_share = hand_share(human, seated);
  to.seat_share = seat_share(robot, limbs, human, to);
  return to;
}

}  // namespace aplomb
