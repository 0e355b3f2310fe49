#include "aplomb/scenario/setup/start.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/stance.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/setup/fit_robot.hpp"

namespace aplomb {
namespace {

constexpr double kLift = 0.13;  // of the CoM's height: 0.10 m for a robot of human size

struct Feet {
  std::array<std::optional<Eigen::Isometry3d>, 2> T_world_sole;
  Eigen::Vector3d com;
};

Feet feet_of(const RobotModel& robot, const RobotState& state) {
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(state);
  Feet feet{.com = terms.com()};
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[side];
    if (!sole) continue;
    Eigen::Isometry3d T_foot_sole = Eigen::Isometry3d::Identity();
    T_foot_sole.translation() = sole->centre();
    feet.T_world_sole[side] =
        terms.frame(robot.frame(robot.description().roles.foot[side])).T_world_frame * T_foot_sole;
  }
  return feet;
}

/// Under the sole that it carries, or under the middle of both.
void place_support(Support& support, const Feet& feet) {
  int count = 0;
  support.position.setZero();
  for (int side : {kLeft, kRight}) {
    if (!support.carries[side] || !feet.T_world_sole[side]) continue;
    support.position += feet.T_world_sole[side]->translation();
    ++count;
  }
  if (count > 0) support.position /= count;
  support.position.z() = 0.0;
}

/// The middle of the legs' first joints: where a robot that sits has its hips.
Eigen::Vector3d hips_of(const RobotModel& robot, const RobotState& state) {
  const BodyTree& tree = robot.tree();
  std::vector<FrameId> hips;
  for (FrameId foot : sole_frames(robot)) {
    int body = tree.links[static_cast<std::size_t>(foot)].body;
    while (body > 0 && tree.bodies[static_cast<std::size_t>(body)].parent > 0) {
      body = tree.bodies[static_cast<std::size_t>(body)].parent;
    }
    hips.push_back(robot.frame(tree.bodies[static_cast<std::size_t>(body)].link));
  }
  RobotTerms terms(robot, hips);
  terms.update(state);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (FrameId hip : hips) sum += terms.frame(hip).T_world_frame.translation();
  return hips.empty() ? Eigen::Vector3d(state.q.head<3>()) : Eigen::Vector3d(sum / static_cast<double>(hips.size()));
}

/// The chair comes under the hips.
void place_chair(const Scenario& scenario, const RobotModel& robot, Start& start) {
  if (!start.world.chair) return;
  const Eigen::Vector3d hips = hips_of(robot, start.state);
  start.world.chair->hip_x = hips.x();
  if (start.world.chair->height < hips.z()) return;
  throw FileError(scenario.place("world.chair.height_m"),
                  fmt::format("world.chair.height_m: robot {} starts inside of the chair: its hips are {:.3f} m above "
                              "the floor, and the seat {:.3f} m; give a lower chair, or a posture that sits on it",
                              robot.name(), hips.z(), start.world.chair->height));
}

/// Arm rests are where the plan has the hands: under the points that touch, a little further than these.
void place_arm_rests(const RobotModel& robot, const MotionPlan& plan, Chair& chair) {
  constexpr double kBeyond = 0.06, kInside = 0.025;  // [m] from that point to the rest's front and inner edge
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    if (!contact.name.ends_with("_hand")) continue;
    const FrameId hand = robot.frame(contact.link);
    RobotTerms terms(robot, std::vector<FrameId>{hand});
    terms.update({plan.trajectory.q.col(0), Eigen::VectorXd::Zero(robot.nv())});
    const Eigen::Vector3d at = terms.frame(hand).T_world_frame * contact.point;
    chair.arm_rests[contact.name == "left_hand" ? kLeft : kRight] = {
        .height = at.z() - plan.contacts.chair_height_m,
        .aside = std::abs(at.y()) - kInside + 0.5 * kArmRestWidth,
        .reach = at.x() + kBeyond - chair.hip_x};
  }
}

Stance stance_for(const Scenario& scenario, const World& world, const Feet& feet) {
  Stance stance;
  for (int side : {kLeft, kRight}) {
    if (!feet.T_world_sole[side]) continue;
    const Eigen::Isometry3d T_world_ground = world.ground_at(side, 0.0);
    Stance::Foot foot{.T_world_sole = *feet.T_world_sole[side]};
    // The sole's centre goes straight up or down onto the ground; the sole lies flat on it, its heading unchanged.
    const Eigen::Vector3d normal = T_world_ground.linear().col(2);
    const Eigen::Vector3d from_ground = foot.T_world_sole.translation() - T_world_ground.translation();
    foot.T_world_sole.translation().z() -= normal.dot(from_ground) / normal.z();
    foot.T_world_sole.linear() = turn_between(Eigen::Vector3d::UnitZ(), normal) * feet.T_world_sole[side]->linear();
    stance.feet[side] = foot;
  }
  if (!scenario.start.standing_side) {
    stance.com = feet.com.head<2>();
    return stance;
  }
  const int other = 1 - *scenario.start.standing_side;
  stance.com = stance.feet[*scenario.start.standing_side]->T_world_sole.translation().head<2>();
  stance.feet[other]->T_world_sole.translation().z() += kLift * feet.com.z();
  stance.feet[other]->is_lifted = true;
  return stance;
}

/// How far a robot goes down when it stands on a floor of springs.
Eigen::Vector3d sink_on(const World& world, const RobotModel& robot) {
  const auto num_feet = static_cast<double>(sole_frames(robot).size());
  if (!world.floor.spring || num_feet == 0.0) return Eigen::Vector3d::Zero();
  return {0.0, 0.0, robot.mass() * kGravity / (num_feet * world.floor.spring->stiffness)};
}

}  // namespace

void place_walls(World& world, const RobotModel& robot, const RobotState& state) {
  for (Wall& wall : world.walls) {
    if (!wall.touches) continue;
    const std::string& hand = robot.description().roles.hand[*wall.touches];
    if (hand.empty()) {
      throw InvalidValue(fmt::format("world.walls: robot {} has no {} hand that a wall could touch (roles in its YAML)",
                                     robot.name(), *wall.touches == kLeft ? "left" : "right"));
    }
    const FrameId frame = robot.frame(hand);
    RobotTerms terms(robot, std::vector<FrameId>{frame});
    terms.update(state);
    const Eigen::Vector3d hand_at = terms.frame(frame).T_world_frame.translation() - sink_on(world, robot);
    wall.position = hand_at - wall.distance * wall.normal;
  }
}

Start make_start(const Scenario& scenario, const RobotModel& robot, const MotionPlan* plan) {
  check_start(scenario, robot);
  Start start{.state = robot.posture(scenario.start.posture), .world = scenario.world};
  if (plan != nullptr) start.state.q = plan->trajectory.q.col(0);
  for (const auto& [joint, offset] : scenario.start.joint_offset_rad) start.state.q[7 + robot.joint(joint)] += offset;
  robot.stand_on_soles(start.state);
  const Feet feet = feet_of(robot, start.state);
  for (Support& support : start.world.supports) place_support(support, feet);
  place_chair(scenario, robot, start);
  if (plan != nullptr && start.world.chair) place_arm_rests(robot, *plan, *start.world.chair);
  const bool both = feet.T_world_sole[kLeft] && feet.T_world_sole[kRight];
  if (scenario.start.standing_side && !both) {
    throw FileError(scenario.place("start.feet"),
                    fmt::format("start.feet: robot {} does not have two soles", robot.name()));
  }
  const bool stands_as_posed = start.world.supports.empty() && !scenario.start.standing_side;
  if (!stands_as_posed) take_stance(robot, stance_for(scenario, start.world, feet), start.state);
  place_walls(start.world, robot, start.state);
  return start;
}

}  // namespace aplomb
