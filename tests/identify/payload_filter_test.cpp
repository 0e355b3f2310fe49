#include "aplomb/identify/payload_filter.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// The balancer with a point mass at its trunk, as its feet feel it.
RobotModel with_payload(const RobotModel& robot, double mass, const Eigen::Vector3d& point) {
  Urdf urdf = robot.urdf();
  for (UrdfLink& link : urdf.links) {
    if (link.name != robot.description().roles.trunk) continue;
    link.inertia = joined(link.inertia, {.mass = mass, .com = point});
  }
  return RobotModel(urdf, robot.description());
}

/// Readings of a robot that stands still, each foot carrying half, with noise.
SensorReadings standing(const RobotModel& truth, const RobotState& state, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  RobotTerms terms(truth, {});
  terms.update(state);
  BodyMotions motions(truth);
  motions.place(state.q);
  SensorReadings readings;
  readings.state = state;
  for (std::size_t side = 0; side < 2; ++side) {
    const Eigen::Isometry3d T = motions.link_pose(truth.frame(truth.description().roles.foot[side]));
    Eigen::Vector3d force(0, 0, 0.5 * truth.mass() * kGravity);
    Eigen::Vector3d moment = (terms.com() - T.translation()).cross(force);
    for (int i = 0; i < 3; ++i) {
      force[i] += 2.0 * normal(engine);
      moment[i] += 0.5 * normal(engine);
    }
    readings.foot_wrench[side] = {T.linear().transpose() * force, T.linear().transpose() * moment};
  }
  return readings;
}

TEST(PayloadFilter, CorrectsTheComWithinFiveSecondsOfAnUnknownThreeKilograms) {
  const RobotModel model = RobotModel::load("balancer");
  const Eigen::Vector3d point(0.15, 0.05, 0.2);
  const RobotModel truth = with_payload(model, 3.0, point);
  const RobotState state = model.posture("half_sitting");
  PayloadFilter filter(model, model.frame(model.description().roles.trunk), {});
  std::mt19937_64 engine(1);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  constexpr double kTick = 0.01;
  for (double t = 0.0; t < 2.0; t += kTick) filter.update(state, rest, standing(model, state, engine), kTick);
  EXPECT_LT(std::abs(filter.added_mass()), 0.3);
  EXPECT_LT(filter.com_correction().head<2>().norm(), 1e-3) << "nothing was handed over yet";
  RobotTerms before(model, {}), after(truth, {});
  before.update(state);
  after.update(state);
  const Eigen::Vector3d shift = after.com() - before.com();
  ASSERT_GT(shift.head<2>().norm(), 5e-3);
  for (double t = 0.0; t < 5.0; t += kTick) {
    filter.update(state, rest, standing(truth, state, engine), kTick);
    ASSERT_TRUE(is_feasible(to_parameters(filter.inertia())));
  }
  EXPECT_NEAR(filter.added_mass(), 3.0, 0.3);
  EXPECT_LT((filter.com_correction() - shift).head<2>().norm(), 1e-3);
}

}  // namespace
}  // namespace aplomb
