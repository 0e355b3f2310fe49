#include "aplomb/robot/shapes/seat_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace aplomb {
namespace {

constexpr double kPadOfLegs = 0.1;  // radius of a pad over the legs' length, where the URDF has no usable shape
constexpr double kThinnest = 0.02;  // least thickness of a usable shape over the legs' length
constexpr double kThickest = 0.3;   // largest thickness of a usable shape over the legs' length
constexpr double kAcross =
    0.9;  // least y component of a lateral capsule's unit axis; such a capsule rolls on the seat as the pelvis leans
constexpr double kBehindOfLegs = 0.15;  // distance of the rear pad behind the hips over the legs' length

/// Extent of a shape below its parent frame's origin, along `down` in that frame.
double reach(const Shape& shape, const Eigen::Vector3d& down) {
  double deepest = -HUGE_VAL;
  for (const Eigen::Vector3d& point : outer_points(shape, down)) deepest = std::max(deepest, point.dot(down));
  return deepest;
}

/// Collision shapes other than meshes of the bodies for which `is_wanted` is true.
template <typename Wanted>
std::vector<SeatShape> shapes_of(const RobotModel& robot, const Wanted& is_wanted) {
  std::vector<SeatShape> shapes;
  for (const LinkPlacement& placement : robot.tree().links) {
    for (const Shape& shape : robot.urdf().link(placement.link).collisions) {
      if (shape.kind == Shape::Kind::mesh || !is_wanted(placement.body)) continue;
      shapes.push_back({placement.body, shape});
      shapes.back().shape.T_link_shape = placement.T_body_link * shape.T_link_shape;
    }
  }
  return shapes;
}

/// Extent of pelvis and level thighs below the hip axes, over the legs' length; absent outside the usable range.
/// `upright` is the standing posture, in which the underside of a level thigh is its rear.
std::optional<double> thickness(const std::vector<SeatShape>& shapes, const Limbs& limbs,
                                const TreeKinematics& upright) {
  double deepest = 0.0;
  for (const SeatShape& one : shapes) {
    const bool is_pelvis = one.body == limbs.pelvis;
    const Eigen::Vector3d down = is_pelvis ? -Eigen::Vector3d::UnitZ() : -Eigen::Vector3d::UnitX();
    const Eigen::Vector3d in_body = upright.rotation(one.body).transpose() * down;
    deepest = std::max(deepest, reach(one.shape, in_body) - (is_pelvis ? limbs.hips.dot(in_body) : 0.0));
  }
  const double of_legs = deepest / limbs.leg_length();
  return of_legs > kThinnest && of_legs < kThickest ? std::optional(of_legs) : std::nullopt;
}

/// Body that the pad of a hip is fixed to: the body of the hip joint, or the next one towards the thigh with mass.
int pad_body(const RobotModel& robot, const TreeKinematics& tree, const Limbs::Leg& leg) {
  int body = leg.thigh;
  for (int i = leg.thigh; i > leg.hip; i = tree.parent(i)) {
    if (robot.tree().bodies[static_cast<std::size_t>(i)].inertia.mass > 0.0) body = i;
  }
  return body;
}

std::vector<SeatShape> pads(const RobotModel& robot, double radius, const Limbs& limbs, const TreeKinematics& upright) {
  std::vector<SeatShape> made;
  const auto add = [&](int body, const Eigen::Vector3d& at) {
    SeatShape pad{body, {.kind = Shape::Kind::sphere, .size = {radius, 0.0, 0.0}}};
    pad.shape.T_link_shape.translation() = upright.rotation(body).transpose() * (at - upright.origin(body));
    made.push_back(pad);
  };
  for (const Limbs::Leg& leg : limbs.legs) add(pad_body(robot, upright, leg), upright.origin(leg.hip + 1));
  const Eigen::Vector3d hips = upright.point(limbs.pelvis, limbs.hips);
  add(limbs.pelvis, hips - kBehindOfLegs * limbs.leg_length() * Eigen::Vector3d::UnitX());
  return made;
}

}  // namespace

std::vector<SeatShape> seat_shapes(const RobotModel& robot, const Limbs& limbs) {
  const std::vector<SeatShape> shapes = shapes_of(robot, [&limbs](int body) {
    return body == limbs.pelvis || body == limbs.legs[0].thigh || body == limbs.legs[1].thigh;
  });
  std::vector<SeatShape> capsules = shapes;
  RobotState standing = robot.neutral_state();
  robot.stand_on_soles(standing);
  TreeKinematics upright(robot);
  upright.update(standing.q);
  std::erase_if(capsules, [&upright](const SeatShape& one) {
    const Eigen::Vector3d along = upright.rotation(one.body) * one.shape.T_link_shape.linear().col(2);
    return one.shape.kind != Shape::Kind::capsule || std::abs(along.y()) < kAcross;
  });
  if (thickness(capsules, limbs, upright)) return capsules;
  const double radius = thickness(shapes, limbs, upright).value_or(kPadOfLegs) * limbs.leg_length();
  return pads(robot, radius, limbs, upright);
}

std::vector<SeatShape> seat_shapes(const RobotModel& robot) {
  const std::optional<Limbs> limbs = limbs_if_any(robot);
  return limbs ? seat_shapes(robot, *limbs) : shapes_of(robot, [](int) { return true; });
}

double seat_clearance(const std::vector<SeatShape>& shapes, const Limbs& limbs, const TreeKinematics& tree) {
  const double hips = tree.point(limbs.pelvis, limbs.hips).z();
  double lowest = HUGE_VAL;
  for (const SeatShape& one : shapes) {
    const Eigen::Vector3d down = -tree.rotation(one.body).transpose().col(2);
    lowest = std::min(lowest, tree.origin(one.body).z() - reach(one.shape, down));
  }
  return hips - lowest;
}

}  // namespace aplomb
