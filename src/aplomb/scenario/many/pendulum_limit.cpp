#include "aplomb/scenario/many/pendulum_limit.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/support_region.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/setup/plant.hpp"

namespace aplomb {

std::vector<double> pendulum_limits(const Scenario& scenario) {
  const RobotModel robot = make_plant(RobotModel::load(scenario.robot), scenario.plant);
  const Start start = make_start(scenario, robot);
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(start.state);
  std::vector<Eigen::Vector2d> corners;
  double ground = 0.0;
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[side];
    if (!sole || (scenario.start.standing_side && *scenario.start.standing_side != side)) continue;
    const Eigen::Isometry3d& T_world_foot =
        terms.frame(robot.frame(robot.description().roles.foot[side])).T_world_frame;
    for (const Eigen::Vector2d& corner : ground_corners(*sole, T_world_foot)) corners.push_back(corner);
    ground = (T_world_foot * sole->centre()).z();
  }
  const SupportRegion support(corners);
  const double omega = std::sqrt(kGravity / (terms.com().z() - ground));
  std::vector<double> limits;
  for (double direction_deg : scenario.search->directions_deg) {
    const double angle = direction_deg * std::numbers::pi / 180.0;
    const double distance =
        support.distance_along(terms.com().head<2>(), Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    const double force = robot.mass() * omega * distance / scenario.pushes.front().duration_s;
    limits.push_back(distance > 0.0 && std::isfinite(force) ? force : std::numeric_limits<double>::quiet_NaN());
  }
  return limits;
}

}  // namespace aplomb
