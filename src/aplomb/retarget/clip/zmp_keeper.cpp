#include "aplomb/retarget/clip/zmp_keeper.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/shapes/support_polygon.hpp"

namespace aplomb {

double SupportArea::distance(const Eigen::Vector2d& point) const { return signed_distance(polygon, point); }

Eigen::Vector2d SupportArea::nearest(const Eigen::Vector2d& point) const {
  // Pushed in over the edge that is violated most, again and again: a convex area of a few edges is reached soon.
  Eigen::Vector2d inside = point;
  for (int round = 0; round < 50; ++round) {
    double worst = margin - 1e-9;
    Eigen::Vector2d push = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector2d edge = (polygon[(i + 1) % polygon.size()] - polygon[i]).normalized();
      const Eigen::Vector2d inward(-edge.y(), edge.x());
      const double distance = inward.dot(inside - polygon[i]);
      if (distance >= worst) continue;
      worst = distance;
      push = (margin - distance) * inward;
    }
    if (push.isZero(0.0)) break;
    inside += push;
  }
  return inside;
}

SupportArea support_area(const RobotModel& robot, const Limbs& limbs, const Eigen::VectorXd& q) {
  TreeKinematics tree(robot);
  tree.update(q);
  SupportArea area;
  std::vector<Eigen::Vector2d> corners;
  double length = HUGE_VAL, width = HUGE_VAL;
  for (std::size_t side = 0; side < 2; ++side) {
    const Sole& sole = *robot.description().soles[side];
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    for (const Eigen::Vector3d& corner : sole.corners()) {
      corners.push_back(tree.point(foot.body, foot.T_body_link * corner).head<2>());
    }
    length = std::min(length, sole.x_max - sole.x_min);
    width = std::min(width, sole.y_max - sole.y_min);
  }
  area.polygon = convex_hull(corners);
  area.margin = std::min(0.15 * length, 0.5 * width);
  area.least_margin = std::min(0.1 * length, width / 3.0);
  area.seat_x = tree.point(limbs.pelvis, limbs.hips).x();
  return area;
}

Eigen::Matrix2Xd zmp_shift(const PlannedForces& plan, const SupportArea& area, Eigen::Index first, double rate_hz) {
  const Eigen::Index count = plan.zmp.cols();
  Eigen::Matrix2Xd demand = Eigen::Matrix2Xd::Zero(2, count), shift(2, count);
  for (Eigen::Index i = 0; i < first; ++i) demand(0, i) = std::max(0.0, area.seat_x - plan.zmp(0, i));
  for (Eigen::Index i = first; i < count; ++i) demand.col(i) = area.nearest(plan.zmp.col(i)) - plan.zmp.col(i);
  const Eigen::VectorXd b =
      plan.com.row(2).transpose().array() / (kGravity + plan.com_acceleration.row(2).transpose().array());
  for (int axis = 0; axis < 2; ++axis) {
    shift.row(axis) = shift_for_zmp(demand.row(axis).transpose(), b, rate_hz).transpose();
  }
  return shift;
}

double zmp_margin(const PlannedForces& plan, const SupportArea& area, Eigen::Index first) {
  double least = HUGE_VAL;
  for (Eigen::Index i = first; i < plan.zmp.cols(); ++i) least = std::min(least, area.distance(plan.zmp.col(i)));
  return least;
}

double zmp_behind_seat(const PlannedForces& plan, const SupportArea& area, Eigen::Index first) {
  return std::max(0.0, area.seat_x - plan.zmp.row(0).head(first).minCoeff());
}

}  // namespace aplomb
