#include "aplomb/robot/limbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

/// Bodies from below `top` down to `body`.
std::vector<int> chain_down(const RobotModel& robot, int top, int body) {
  std::vector<int> bodies = robot.tree().chain(body, top);
  std::ranges::reverse(bodies);
  return bodies;
}

double sagittal_distance(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::hypot(a.x() - b.x(), a.z() - b.z());
}

/// Hip, knee and ankle: the three joints about the lateral axis that divide the leg into its two longest parts.
Limbs::Leg find_leg(const RobotModel& robot, const TreeKinematics& tree, int pelvis, std::size_t side) {
  Limbs::Leg leg;
  leg.foot = body_of(robot, robot.description().roles.foot[side]);
  std::vector<int> bends;
  for (int body : chain_down(robot, pelvis, leg.foot)) {
    if (!tree.is_prismatic(body - 1) && std::abs(tree.axis(body - 1).y()) > 0.7) bends.push_back(body);
  }
  double best = 0.0;
  for (std::size_t i = 0; i < bends.size(); ++i) {
    for (std::size_t j = i + 1; j < bends.size(); ++j) {
      for (std::size_t k = j + 1; k < bends.size(); ++k) {
        const double shorter = std::min(sagittal_distance(tree.origin(bends[i]), tree.origin(bends[j])),
                                        sagittal_distance(tree.origin(bends[j]), tree.origin(bends[k])));
        if (shorter <= best) continue;
        best = shorter;
        leg.hip = bends[i] - 1;
        leg.knee = bends[j] - 1;
        leg.ankle = bends[k] - 1;
      }
    }
  }
  if (leg.knee < 0) {
    throw InvalidValue(
        fmt::format("robot '{}' has no usable {} leg: between '{}' and '{}' there are {} joints about the lateral "
                    "axis, and hip, knee and ankle are needed",
                    robot.name(), side == 0 ? "left" : "right", robot.description().roles.pelvis,
                    robot.description().roles.foot[side], bends.size()));
  }
  leg.shank = leg.knee + 1;
  leg.thigh = tree.parent(leg.shank);
  leg.knee_sign = tree.axis(leg.knee).y() > 0.0 ? 1.0 : -1.0;
  return leg;
}

/// The point nearest to the axes of the last three rotating joints of `bodies` that are above `below` [m].
Eigen::Vector3d nearest_to_axes(const TreeKinematics& tree, const std::vector<int>& bodies, int below) {
  constexpr std::size_t kAxes = 3;
  constexpr double kDamping = 1e-6;  // towards the first joint, for parallel axes and for a single one
  std::vector<int> above;
  for (const int body : bodies) {
    if (body == below) break;
    if (!tree.is_prismatic(body - 1)) above.push_back(body);
  }
  if (above.size() > kAxes) above.erase(above.begin(), above.end() - kAxes);
  if (above.empty()) return tree.origin(below);
  const Eigen::Vector3d& first = tree.origin(above.front());
  Eigen::Matrix3d normal = kDamping * Eigen::Matrix3d::Identity();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const int body : above) {
    const Eigen::Vector3d& axis = tree.axis(body - 1);
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - axis * axis.transpose();
    normal += across;
    right += across * (tree.origin(body) - first);
  }
  return first + normal.ldlt().solve(right);
}

/// The elbow is the joint that divides the arm, from its first joint to the hand, into its two longest parts.
Limbs::Arm find_arm(const RobotModel& robot, const TreeKinematics& tree, int trunk, std::size_t side) {
  Limbs::Arm arm;
  const std::string& link = robot.description().roles.hand[side];
  if (link.empty()) return arm;
  arm.hand = body_of(robot, link);
  const std::vector<int> bodies = chain_down(robot, trunk, arm.hand);
  if (bodies.size() < 2) return arm;
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  const Eigen::Vector3d tip = tree.point(arm.hand, placement.T_body_link.translation());
  const Eigen::Vector3d& shoulder = tree.origin(bodies.front());
  double best = -1.0;
  for (int body : bodies) {
    const double shorter = std::min((tree.origin(body) - shoulder).norm(), (tree.origin(body) - tip).norm());
    if (shorter <= best + 1e-6) continue;
    best = shorter;
    arm.elbow = body - 1;
  }
  arm.upper_arm = tree.parent(arm.elbow + 1);
  arm.forearm = arm.elbow + 1;
  // Pronation bodies belong to the forearm: up to the last one nearer to the elbow than to the hand.
  for (int body : chain_down(robot, arm.elbow + 1, arm.hand)) {
    const double to_elbow = (tree.origin(body) - tree.origin(arm.elbow + 1)).norm();
    if (to_elbow >= (tree.origin(body) - tip).norm()) break;
    arm.forearm = body;
  }
  const auto in_body = [&](int body, const Eigen::Vector3d& point) -> Eigen::Vector3d {
    return tree.rotation(body).transpose() * (point - tree.origin(body));
  };
  arm.shoulder = in_body(arm.upper_arm, nearest_to_axes(tree, bodies, arm.elbow + 1));
  const std::vector<int> beyond = chain_down(robot, arm.forearm, arm.hand);
  arm.wrist = in_body(arm.forearm, beyond.empty() ? tip : tree.origin(beyond.front()));
  arm.is_there = true;
  return arm;
}

}  // namespace

int body_of(const RobotModel& robot, const std::string& link) {
  return robot.tree().links[static_cast<std::size_t>(robot.frame(link))].body;
}

Eigen::Vector3d Limbs::ankles(const TreeKinematics& tree) const {
  return 0.5 * (tree.origin(legs[0].ankle + 1) + tree.origin(legs[1].ankle + 1));
}

Limbs find_limbs(const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  for (std::size_t side = 0; side < 2; ++side) {
    if (description.roles.foot[side].empty() || !description.soles[side]) {
      throw InvalidValue(
          fmt::format("robot '{}' has no {} foot with a sole: name the roles left_foot and right_foot "
                      "and their soles in its YAML (`aplomb info {} --write-yaml {}` makes a first one)",
                      robot.name(), side == 0 ? "left" : "right", shell_word(robot.urdf().file.string()),
                      shell_word(std::filesystem::path(robot.urdf().file).replace_extension(".yaml").string())));
    }
  }
  Limbs limbs;
  RobotState upright = robot.neutral_state();
  robot.stand_on_soles(upright);
  TreeKinematics tree(robot);
  tree.update(upright.q);
  const Roles& roles = description.roles;
  limbs.pelvis = roles.pelvis.empty() ? 0 : body_of(robot, roles.pelvis);
  if (roles.pelvis.empty()) limbs.notes.emplace_back("no pelvis role: the root link stands in for it");
  limbs.trunk = roles.trunk.empty() ? limbs.pelvis : body_of(robot, roles.trunk);
  if (roles.trunk.empty()) limbs.notes.emplace_back("no trunk role: the pelvis stands in for it");
  limbs.head = roles.head.empty() ? limbs.trunk : body_of(robot, roles.head);
  if (roles.head.empty()) limbs.notes.emplace_back("no head role: head markers go to the trunk");
  for (std::size_t side = 0; side < 2; ++side) {
    limbs.legs[side] = find_leg(robot, tree, limbs.pelvis, side);
    limbs.arms[side] = find_arm(robot, tree, limbs.trunk, side);
    if (!limbs.arms[side].is_there) {
      limbs.notes.push_back(fmt::format("no {} arm: its markers are ignored", side == 0 ? "left" : "right"));
    }
    const Limbs::Leg& leg = limbs.legs[side];
    const Eigen::Vector3d &hip = tree.origin(leg.hip + 1), &knee = tree.origin(leg.knee + 1);
    const Eigen::Vector3d& ankle = tree.origin(leg.ankle + 1);
    limbs.thigh_length += 0.5 * sagittal_distance(hip, knee);
    limbs.shank_length += 0.5 * sagittal_distance(knee, ankle);
    limbs.ankle_height += 0.5 * ankle.z();
    limbs.hips += 0.5 * tree.rotation(limbs.pelvis).transpose() * (hip - tree.origin(limbs.pelvis));
  }
  return limbs;
}

std::optional<Limbs> limbs_if_any(const RobotModel& robot) {
  try {
    return find_limbs(robot);
  } catch (const InvalidValue&) {
    return std::nullopt;
  }
}

}  // namespace aplomb
