#include "aplomb/retarget/clip/zmp_keeper.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/motion/com_shift.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

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
  area.region = SupportRegion(corners);
  area.margin = std::min(0.15 * length, 0.5 * width);
  area.least_margin = std::min(0.1 * length, width / 3.0);
  area.seat_x = tree.point(limbs.pelvis, limbs.hips).x();
  return area;
}

Eigen::Matrix2Xd zmp_shift(const PlannedForces& plan, const SupportArea& area, Eigen::Index first, double rate_hz) {
  const Eigen::Index count = plan.zmp.cols();
  Eigen::Matrix2Xd demand = Eigen::Matrix2Xd::Zero(2, count), shift(2, count);
  for (Eigen::Index i = 0; i < first; ++i) demand(0, i) = std::max(0.0, area.seat_x - plan.zmp(0, i));
  for (Eigen::Index i = first; i < count; ++i)
    demand.col(i) = area.region.clamp(plan.zmp.col(i), area.margin) - plan.zmp.col(i);
  const Eigen::VectorXd b =
      plan.com.row(2).transpose().array() / (kGravity + plan.com_acceleration.row(2).transpose().array());
  for (int axis = 0; axis < 2; ++axis) {
    shift.row(axis) = com_shift_for_zmp(demand.row(axis).transpose(), b, rate_hz).transpose();
  }
  return shift;
}

double zmp_margin(const PlannedForces& plan, const SupportArea& area, Eigen::Index first) {
  double least = HUGE_VAL;
  for (Eigen::Index i = first; i < plan.zmp.cols(); ++i)
    least = std::min(least, area.region.signed_distance(plan.zmp.col(i)));
  return least;
}

double zmp_behind_seat(const PlannedForces& plan, const SupportArea& area, Eigen::Index first) {
  return std::max(0.0, area.seat_x - plan.zmp.row(0).head(first).minCoeff());
}

}  // namespace aplomb
