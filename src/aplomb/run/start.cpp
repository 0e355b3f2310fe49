#include "aplomb/run/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/stance.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kLift = 0.13;  // of the CoM's height: 0.10 m for a robot of human size

[[noreturn]] void fail(const PlaceOf& place_of, const std::string& key, const std::string& what) {
  if (place_of) throw FileError(place_of(key), what);
  throw InvalidValue(what);
}

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
    const std::vector<int> joints = robot.joint_chain(foot);
    const std::size_t body = joints.empty() ? 0 : static_cast<std::size_t>(joints.back() + 1);
    hips.push_back(robot.frame(tree.bodies[body].link));
  }
  RobotTerms terms(robot, hips);
  terms.update(state);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (FrameId hip : hips) sum += terms.frame(hip).T_world_frame.translation();
  return hips.empty() ? Eigen::Vector3d(state.q.head<3>()) : Eigen::Vector3d(sum / static_cast<double>(hips.size()));
}

/// First sample of a plan in which the robot sits; its first sample without a seat.
Eigen::Index first_seated(const MotionPlan& plan) {
  for (Eigen::Index i = 0; i < plan.trajectory.num_samples(); ++i) {
    if (plan.contacts.is_active(ContactSite::seat, plan.trajectory.time_s(i))) return i;
  }
  return 0;
}

/// Largest load that a plan wants from its seat [N].
double seat_load_of(const MotionPlan& plan, const RobotModel& robot) {
  const Eigen::VectorXd share = seat_share_of(plan.trajectory);
  return share.size() > 0 ? share.maxCoeff() * robot.mass() * kGravity : 0.0;
}

/// The chair comes under the hips: those of the start, or where a plan takes the seat later.
void place_chair(const RobotModel& robot, const MotionPlan* plan, Start& start, const PlaceOf& place_of) {
  if (!start.world.chair) return;
  const Eigen::Index seated = plan != nullptr ? first_seated(*plan) : 0;
  const Eigen::Vector3d hips =
      hips_of(robot, seated == 0 ? start.state : RobotState{plan->trajectory.q.col(seated), start.state.v});
  start.world.chair->hip_x = hips.x();
  if (plan != nullptr) start.world.chair->spring_load = seat_load_of(*plan, robot);
  if (start.world.chair->height < hips.z()) return;
  fail(place_of, "world.chair.height_m",
       fmt::format("world.chair.height_m: robot {} starts inside of the chair: its hips are {:.3f} m above "
                   "the floor, and the seat {:.3f} m; give a lower chair, or a posture that sits on it",
                   robot.name(), hips.z(), start.world.chair->height));
}

/// First sample in which a contact of a plan holds.
Eigen::Index first_held(const MotionPlan& plan, const ContactPlan::Contact& contact) {
  const Trajectory& trajectory = plan.trajectory;
  const double since = std::ceil((contact.start_s - trajectory.start_s) * trajectory.rate_hz - 1e-3);
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(since), 0, trajectory.num_samples() - 1);
}

/// Arm rests are where the plan has the hands: under the points that touch, a little further than these.
void place_arm_rests(const RobotModel& robot, const MotionPlan& plan, Chair& chair) {
  constexpr double kBeyond = 0.06, kInside = 0.025;  // [m] from that point to the rest's front and inner edge
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    if (!is_hand(contact.site)) continue;
    const FrameId hand = robot.frame(contact.link);
    RobotTerms terms(robot, std::vector<FrameId>{hand});
    terms.update({plan.trajectory.q.col(first_held(plan, contact)), Eigen::VectorXd::Zero(robot.nv())});
    const Eigen::Vector3d at = terms.frame(hand).T_world_frame * contact.point;
    chair.arm_rests[side_of(contact.site)] = {.height = at.z() - plan.contacts.chair_height_m,
                                              .aside = std::abs(at.y()) - kInside + 0.5 * kArmRestWidth,
                                              .reach = at.x() + kBeyond - chair.hip_x};
  }
}

Stance stance_for(const StartRequest& request, const World& world, const Feet& feet) {
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
  if (!request.standing_side) {
    stance.com = feet.com.head<2>();
    return stance;
  }
  const int other = 1 - *request.standing_side;
  stance.com = stance.feet[*request.standing_side]->T_world_sole.translation().head<2>();
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

void check_offsets(const StartRequest& request, const RobotModel& robot, const PlaceOf& place_of) {
  const RobotState posture = robot.posture(request.posture);
  for (const auto& [name, offset] : request.joint_offset_rad) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(robot.joint(name))];
    const double angle = posture.q[7 + robot.joint(name)] + offset;
    constexpr double kRounding = 1e-9;
    if (angle >= joint.lower - kRounding && angle <= joint.upper + kRounding) continue;
    fail(place_of, "start.joint_offset_rad." + name,
         fmt::format("start.joint_offset_rad.{}: {:g} puts the joint at {:g}, outside of its limits {:g} to "
                     "{:g}",
                     name, offset, angle, joint.lower, joint.upper));
  }
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

void check_start(const StartRequest& request, const RobotModel& robot, const PlaceOf& place_of) {
  std::vector<std::string> postures;
  for (const auto& [name, angles] : robot.description().postures) postures.push_back(name);
  if (postures.empty()) {
    const std::filesystem::path& yaml = robot.description().file;
    const std::string remedy =
        yaml.empty() ? fmt::format("`aplomb info {0} --write-yaml {1}` guesses them for a robot on two feet",
                                   robot.urdf().file.string(),
                                   std::filesystem::path(robot.urdf().file).replace_extension(".yaml").string())
                     : fmt::format("write postures.{} into {}", request.posture, yaml.string());
    fail(place_of, "start.posture",
         fmt::format("start.posture: robot {} has no postures to start in; {}", robot.name(), remedy));
  }
  if (std::ranges::find(postures, request.posture) == postures.end()) {
    fail(place_of, "start.posture",
         fmt::format("start.posture: no posture named '{}' in robot {}; {}", shortened(request.posture), robot.name(),
                     suggestion(request.posture, postures)));
  }
  std::vector<std::string> joints;
  for (const Joint& joint : robot.joints()) joints.push_back(joint.name);
  for (const auto& [name, offset] : request.joint_offset_rad) {
    if (std::ranges::find(joints, name) != joints.end()) continue;
    fail(place_of, "start.joint_offset_rad." + name,
         fmt::format("start.joint_offset_rad: no joint named '{}' in robot {}; {}", shortened(name), robot.name(),
                     suggestion(name, joints)));
  }
  check_offsets(request, robot, place_of);
}

Start make_start(const StartRequest& request, const World& world, const RobotModel& robot, const MotionPlan* plan,
                 const PlaceOf& place_of) {
  check_start(request, robot, place_of);
  Start start{.state = robot.posture(request.posture), .world = world};
  if (plan != nullptr) start.state.q = plan->trajectory.q.col(0);
  for (const auto& [joint, offset] : request.joint_offset_rad) start.state.q[7 + robot.joint(joint)] += offset;
  robot.stand_on_soles(start.state);
  const Feet feet = feet_of(robot, start.state);
  for (Support& support : start.world.supports) place_support(support, feet);
  place_chair(robot, plan, start, place_of);
  if (plan != nullptr && start.world.chair) place_arm_rests(robot, *plan, *start.world.chair);
  const bool both = feet.T_world_sole[kLeft] && feet.T_world_sole[kRight];
  if (request.standing_side && !both) {
    fail(place_of, "start.feet", fmt::format("start.feet: robot {} does not have two soles", robot.name()));
  }
  const bool stands_as_posed = start.world.supports.empty() && !request.standing_side;
  if (!stands_as_posed) take_stance(robot, stance_for(request, start.world, feet), start.state);
  place_walls(start.world, robot, start.state);
  return start;
}

}  // namespace aplomb
