#include "aplomb/retarget/mapping/planted.hpp"

#include <algorithm>

namespace aplomb {
namespace {

double gap_of(const TreeKinematics& tree, const Capsule& first, const Capsule& second) {
  const ClosestPoints closest =
      closest_points(tree.point(first.body, first.begin), tree.point(first.body, first.end),
                     tree.point(second.body, second.begin), tree.point(second.body, second.end));
  return (closest.first - closest.second).norm() - first.radius - second.radius;
}

}  // namespace

std::vector<PointRow> planted_foot(const RobotModel& robot, const TreeKinematics& tree, std::size_t side) {
  const std::string& link = robot.description().roles.foot[side];
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  const Sole& sole = *robot.description().soles[side];
  const Eigen::Vector3d centre = sole.centre();
  const Eigen::Vector3d points[] = {centre, {sole.x_max, centre.y(), sole.z}, {centre.x(), sole.y_max, sole.z}};
  const int directions[] = {3, 2, 1};  // z, y, x at the centre; z, y at the toe; z at the side
  std::vector<PointRow> rows;
  for (int point = 0; point < 3; ++point) {
    for (int k = 0; k < directions[point]; ++k) {
      PointRow row{.body = placement.body,
                   .offset = placement.T_body_link * points[point],
                   .direction = Eigen::Vector3d::Unit(2 - k),
                   .softness = kPlantedSoftness};
      row.value = row.direction.dot(tree.point(row.body, row.offset));
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<PointRow> com_rows() {
  std::vector<PointRow> rows;
  for (int axis = 0; axis < 3; ++axis) {
    rows.push_back({.kind = RowKind::off,
                    .body = PointRow::kCentreOfMass,
                    .direction = Eigen::Vector3d::Unit(axis),
                    .softness = kComSoftness});
  }
  return rows;
}

std::vector<CapsulePair> hands_and_thighs(const RobotModel& robot, const Limbs& limbs, const TreeKinematics& tree) {
  std::vector<CapsulePair> pairs;
  for (const Limbs::Arm& arm : limbs.arms) {
    if (!arm.is_there) continue;
    for (const Capsule& hand : capsules_of(robot, arm.hand)) {
      for (const Limbs::Leg& leg : limbs.legs) {
        for (const Capsule& thigh : capsules_of(robot, leg.thigh)) {
          if (gap_of(tree, hand, thigh) > 0.0) pairs.push_back({hand, thigh, 0.0});
        }
      }
    }
  }
  return pairs;
}

std::vector<CapsulePair> pairs_of_limbs(const RobotModel& robot, const Limbs& limbs) {
  RobotState standing = robot.neutral_state();
  robot.stand_on_soles(standing);
  TreeKinematics tree(robot);
  tree.update(standing.q);
  std::vector<CapsulePair> pairs;
  const auto add = [&](int first, int second) {
    for (const Capsule& one : capsules_of(robot, first)) {
      for (const Capsule& other : capsules_of(robot, second)) {
        if (gap_of(tree, one, other) > 0.0) pairs.push_back({one, other, 0.0});
      }
    }
  };
  const auto& [left_leg, right_leg] = limbs.legs;
  for (const int left : {left_leg.thigh, left_leg.shank}) {
    for (const int right : {right_leg.thigh, right_leg.shank}) add(left, right);
  }
  for (const Limbs::Arm& arm : limbs.arms) {
    if (!arm.is_there) continue;
    for (const int body : {arm.forearm, arm.hand}) {
      for (const int other : {limbs.legs[0].thigh, limbs.legs[1].thigh, limbs.pelvis, limbs.trunk}) add(body, other);
      if (arm.forearm == arm.hand) break;
    }
  }
  if (!limbs.arms[0].is_there || !limbs.arms[1].is_there) return pairs;
  for (const int left : {limbs.arms[0].forearm, limbs.arms[0].hand}) {
    for (const int right : {limbs.arms[1].forearm, limbs.arms[1].hand}) add(left, right);
  }
  return pairs;
}

}  // namespace aplomb
