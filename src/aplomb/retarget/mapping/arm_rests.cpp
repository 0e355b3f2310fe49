#include "aplomb/retarget/mapping/arm_rests.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping/planted.hpp"

namespace aplomb {
namespace {

constexpr double kFlat = 0.003;          // [m]: corners of a hand this close above its lowest one are in contact, too
constexpr double kReached = 0.002;       // [m]: residual below which an arm rest counts as reached
constexpr double kArmPull = 1e-4;        // weight of the arms' seated angles [m²/rad²]
constexpr double kBodyPull = 1e4;        // weight of all other joints' angles, which must not move [m²/rad²]
constexpr double kLimitMargin = 0.1;     // [rad] margin of the arms to their limits, at most a tenth of the range
constexpr double kBesideThighs = 0.046;  // distance of a hand to thighs and pelvis, as a fraction of the leg length
constexpr int kRounds = 6;               // iterations: the lowest point depends on the posture

// Load of the hands over time. A recording gives at best its peak; the rest is assumed: hands at rest carry little;
// before the release the load fades, because a sudden release would be a step of the ZMP.
constexpr double kSeatedLoad = 0.25;  // fraction of the peak while the person sits still
// The load fades over this last fraction of the time from seat-off to the release. Half of it moves the ZMP twice as
// fast; 1 takes load off the hands from seat-off on, when they are needed most.
constexpr double kFadeFraction = 0.6;
constexpr double kDefaultHandShare = 0.25;  // peak as a fraction of the contact force, when no plate measures it

/// Points of a body's collision shapes that may be the outermost along `direction`; both in the body's frame.
std::vector<Eigen::Vector3d> outer_points(const RobotModel& robot, int body, const Eigen::Vector3d& direction) {
  std::vector<Eigen::Vector3d> points;
  for (const LinkPlacement& placement : robot.tree().links) {
    if (placement.body != body) continue;
    for (const Shape& shape : robot.urdf().link(placement.link).collisions) {
      for (const Eigen::Vector3d& point : outer_points(shape, placement.T_body_link.linear().transpose() * direction)) {
        points.emplace_back(placement.T_body_link * point);
      }
    }
  }
  return points;
}

/// The lowest point of a body's collision shapes, or the middle of those that are about as low; in the body's frame.
Eigen::Vector3d lowest_point(const RobotModel& robot, const TreeKinematics& tree, int body) {
  const Eigen::Vector3d down = -tree.rotation(body).row(2).transpose();
  const std::vector<Eigen::Vector3d> points = outer_points(robot, body, down);
  if (points.empty()) return Eigen::Vector3d::Zero();
  double deepest = -HUGE_VAL;
  for (const Eigen::Vector3d& point : points) deepest = std::max(deepest, point.dot(down));
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double count = 0.0;
  for (const Eigen::Vector3d& point : points) {
    if (point.dot(down) < deepest - kFlat) continue;
    sum += point;
    count += 1.0;
  }
  return sum / count;
}

/// Lateral extent of pelvis and thighs to a side, from y = 0 in the world frame [m].
double width_to(const RobotModel& robot, const Limbs& limbs, const TreeKinematics& tree, std::size_t side) {
  const Eigen::Vector3d out = side == 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d(-Eigen::Vector3d::UnitY());
  double most = 0.0;
  for (int body : {limbs.pelvis, limbs.legs[0].thigh, limbs.legs[1].thigh}) {
    for (const Eigen::Vector3d& point : outer_points(robot, body, tree.rotation(body).transpose() * out)) {
      most = std::max(most, out.dot(tree.point(body, point)));
    }
  }
  return most;
}

/// Whether the joint moves the arm of `side`, and not the trunk.
bool is_of_arm(const TreeKinematics& tree, const Limbs& limbs, std::size_t side, int joint) {
  return tree.carries(joint + 1, limbs.arms[side].hand) && !tree.carries(joint + 1, limbs.trunk);
}

/// Moves the arm of `side` alone.
class ArmMover {
 public:
  ArmMover(const RobotModel& robot, const Limbs& limbs, std::size_t side, const Eigen::VectorXd& q)
      : robot_(robot), body_(limbs.arms[side].hand), tree_(robot), q_(q) {
    tree_.update(q);
    lower_.resize(robot.num_joints());
    upper_ = pull_ = lower_;
    for (int joint = 0; joint < robot.num_joints(); ++joint) {
      const Joint& limits = robot.joints()[static_cast<std::size_t>(joint)];
      const double angle = q[7 + joint], room = std::min(kLimitMargin, 0.1 * (limits.upper - limits.lower));
      const bool moves = is_of_arm(tree_, limbs, side, joint);
      lower_[joint] = std::min(limits.lower + (moves ? room : 0.0), angle);
      upper_[joint] = std::max(limits.upper - (moves ? room : 0.0), angle);
      pull_[joint] = moves ? kArmPull : kBodyPull;
    }
  }

  /// Moves the lowest point of the hand to `place`; returns the remaining distance [m].
  double reach(const Eigen::Vector3d& place) {
    for (int round = 0; round < kRounds; ++round) {
      tree_.update(q_);
      offset_ = lowest_point(robot_, tree_, body_);
      std::vector<RobotMarker> markers{{.body = body_, .offset = offset_}};
      for (int axis = 0; axis < 3; ++axis) {  // markers that hold the base
        markers.push_back({.body = 0, .offset = Eigen::Vector3d::Unit(axis)});
        markers.push_back({.body = 0, .offset = -Eigen::Vector3d::Unit(axis)});
      }
      PostureSolver solver(robot_, markers, planted_foot(robot_, tree_, 0), {}, PostureSolver::Settings{});
      for (std::size_t i = 1; i < markers.size(); ++i) solver.targets[i] = tree_.point(0, markers[i].offset);
      solver.lower = lower_;
      solver.upper = upper_;
      solver.pull = q_.tail(robot_.num_joints());
      solver.pull_weight = pull_;
      solver.targets[0] = place;
      solver.solve(q_);
    }
    tree_.update(q_);
    return (tree_.point(body_, offset_) - place).norm();
  }

  const Eigen::VectorXd& q() const { return q_; }
  RestingHand hand(std::size_t side) const { return {side, body_, offset_, tree_.point(body_, offset_)}; }

 private:
  const RobotModel& robot_;
  int body_;
  TreeKinematics tree_;
  Eigen::VectorXd q_, lower_, upper_, pull_;
  Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();
};

}  // namespace

void rest_hands(const RobotModel& robot, const Limbs& limbs, const HumanPath& human, SeatedRobot& seated) {
  TreeKinematics tree(robot);
  tree.update(seated.state.q);
  const Overlay map{
      .scale = limbs.leg_length() / human.leg_length, .human_ankles = human.ankles, .robot_ankles = limbs.ankles(tree)};
  for (std::size_t side = 0; side < 2; ++side) {
    if (human.rise.hand_off[side] == 0) continue;
    const char* name = side == 0 ? "left" : "right";
    if (!limbs.arms[side].is_there) {
      seated.notes.push_back(
          fmt::format("the person's {} hand pushes off an arm rest; the robot has no such arm", name));
      continue;
    }
    ArmMover arm(robot, limbs, side, seated.state.q);
    Eigen::Vector3d place = map.map(human.wrists[side]);
    const double aside = width_to(robot, limbs, tree, side) + kBesideThighs * limbs.leg_length();
    place.y() = side == 0 ? std::max(place.y(), aside) : std::min(place.y(), -aside);
    const double missing = arm.reach(place);
    if (missing > kReached) {
      seated.notes.push_back(
          fmt::format("the arm rest of the {} hand is {:.0f} mm from where the person's would be: the "
                      "robot reaches no further",
                      name, 1e3 * missing));
    }
    seated.state.q = arm.q();
    seated.hands.push_back(arm.hand(side));
  }
}

Eigen::Matrix2Xd hand_share(const HumanPath& human, const SeatedRobot& seated) {
  Eigen::Matrix2Xd share = Eigen::Matrix2Xd::Zero(2, human.num_frames());
  const double most =
      human.hand_share.value_or(kDefaultHandShare) / std::max(1.0, static_cast<double>(seated.hands.size()));
  const RiseFrames& rise = human.rise;
  const auto part = [](Eigen::Index done, Eigen::Index of) {
    return minimum_jerk(static_cast<double>(done), static_cast<double>(std::max<Eigen::Index>(1, of))).position;
  };
  for (const RestingHand& hand : seated.hands) {
    const auto row = static_cast<Eigen::Index>(hand.side);
    const Eigen::Index off = rise.hand_off[hand.side];
    for (Eigen::Index i = 0; i < std::min(off, human.num_frames()); ++i) {
      const bool is_seated = i < rise.seat_off;
      const auto fade = static_cast<Eigen::Index>(kFadeFraction * static_cast<double>(off - rise.seat_off));
      share(row, i) =
          most * (is_seated ? kSeatedLoad + (1.0 - kSeatedLoad) * part(i - rise.onset, rise.seat_off - rise.onset)
                            : 1.0 - part(i - off + fade, fade));
    }
  }
  return share;
}

}  // namespace aplomb
