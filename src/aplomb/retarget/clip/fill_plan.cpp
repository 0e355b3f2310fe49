#include "aplomb/retarget/clip/fill_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "aplomb/motion/dynamics/planned_dynamics.hpp"
#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/retarget/mapping/arm_rests.hpp"

namespace aplomb {
namespace {

constexpr double kSeatForward = 0.05;  // centre of the seat force in front of the hips, as a fraction of the thigh

/// Fraction of the contact force on the seat until seat-off. The seat force acts a little in front of the hips, the
/// force of the feet at the ZMP of seat-off, so that the seat is unloaded by then. `zmp` is that of seat and feet,
/// without the hands.
Eigen::VectorXd seat_share(const RobotModel& robot, const Limbs& limbs, const Trajectory& plan,
                           const Eigen::Matrix2Xd& zmp, Eigen::Index seat_off) {
  Eigen::VectorXd share = Eigen::VectorXd::Zero(plan.num_samples());
  TreeKinematics tree(robot);
  tree.update(plan.q.col(0));
  const double seat_x = tree.point(limbs.pelvis, limbs.hips).x() + kSeatForward * limbs.thigh_length;
  const double feet_x = zmp(0, seat_off);
  for (Eigen::Index i = 0; i < seat_off; ++i) {
    share[i] = std::clamp((feet_x - zmp(0, i)) / (feet_x - seat_x), 0.0, 1.0);
    if (plan.hand_share.cols() > 0) share[i] *= 1.0 - plan.hand_share.col(i).sum();
  }
  return share;
}

void write_contacts(const RobotModel& robot, const Limbs& limbs, Retargeted& made) {
  const Trajectory& plan = made.trajectory;
  const double end = plan.end_s() + 1.0 / plan.rate_hz;
  made.contacts.chair_height_m = made.seated.chair_height;
  const RobotDescription& description = robot.description();
  for (std::size_t side = 0; side < 2; ++side) {
    made.contacts.contacts.push_back({.site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot,
                                      .link = description.roles.foot[side],
                                      .point = description.soles[side]->centre(),
                                      .start_s = plan.start_s,
                                      .end_s = end});
  }
  made.contacts.contacts.push_back({.site = ContactSite::seat,
                                    .link = robot.tree().bodies[static_cast<std::size_t>(limbs.pelvis)].link,
                                    .point = limbs.hips,
                                    .start_s = plan.start_s,
                                    .end_s = plan.time_s(made.human.rise.seat_off)});
  for (const RestingHand& hand : made.seated.hands) {
    made.contacts.contacts.push_back({.site = hand.side == 0 ? ContactSite::left_hand : ContactSite::right_hand,
                                      .link = robot.tree().bodies[static_cast<std::size_t>(hand.body)].link,
                                      .point = hand.offset,
                                      .start_s = plan.start_s,
                                      .end_s = plan.time_s(made.human.rise.hand_off[hand.side])});
  }
}

}  // namespace

void fill_plan(const RobotModel& robot, const Limbs& limbs, const Eigen::MatrixXd& q, Retargeted& made) {
  PlannedForces forces = planned_forces(robot, q, made.human.rate_hz), on_ground = forces;
  leave_out_hands(hand_share(made.human, made.seated), made.seated, on_ground);
  Trajectory& to = made.trajectory;
  to.robot = robot.name();
  for (const Joint& joint : robot.joints()) to.joints.push_back(joint.name);
  to.rate_hz = made.human.rate_hz;
  to.q = q;
  to.v = std::move(forces.v);
  to.a = std::move(forces.a);
  to.com = std::move(forces.com);
  to.com_velocity = std::move(forces.com_velocity);
  to.com_acceleration = std::move(forces.com_acceleration);
  to.zmp = std::move(forces.zmp);
  to.force = std::move(forces.force);
  to.com_person = made.com_mapped;
  if (!made.seated.hands.empty()) to.hand_share = hand_share(made.human, made.seated);
  to.seat_share = seat_share(robot, limbs, to, on_ground.zmp, made.human.rise.seat_off);
  write_contacts(robot, limbs, made);
  PlannedDynamics dynamics = planned_dynamics(robot, made.plan(), /*speed=*/1.0);
  to.wrenches = std::move(dynamics.wrenches);
  to.torque = std::move(dynamics.torque);
}

}  // namespace aplomb
