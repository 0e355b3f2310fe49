#include <gtest/gtest.h>

#include "aplomb/control/planned_torque.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/inverse_dynamics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/rise_plan.hpp"
#include "aplomb/scenario/run.hpp"

namespace aplomb {
namespace {

double number(const Metrics& metrics, std::string_view key) { return std::get<double>(*metrics.find(key)); }
bool flag(const Metrics& metrics, std::string_view key) { return std::get<bool>(*metrics.find(key)); }

class Rise : public testing::TestWithParam<std::string> {};

TEST_P(Rise, TheRobotStandsUpAsPlannedFromIdentifiedMasses) {
  const Metrics metrics = run_scenario(load_scenario("sit_to_stand_" + GetParam())).result.metrics;
  EXPECT_TRUE(flag(metrics, "stood_up"));
  EXPECT_LT(number(metrics, "com_x_error_rms_m"), 0.005);
  EXPECT_LT(number(metrics, "com_x_error_max_m"), 0.010);
  EXPECT_LT(number(metrics, "hold_drift_m"), 0.006);
  EXPECT_LT(number(metrics, "cop_zmp_rms_m"), 0.020);
  EXPECT_NEAR(number(metrics, "seat_off_s"), number(metrics, "seat_off_planned_s"), 0.10);
}

TEST_P(Rise, ItsPlanNeedsNothingOfTheBase) {
  const Scenario scenario =
      load_scenario("sit_to_stand_" + GetParam(), std::vector<Override>{{"plan.parameters", "true"}});
  const auto plan = rise_plan_of(scenario);
  const RobotModel& robot = *plan->believed;
  const Trajectory& t = plan->motion->trajectory;
  const Eigen::MatrixXd torque = planned_torque(robot, *plan->motion, 1.0);
  // All that the contacts do together is the rate of the momentum: the plan's own force says the same.
  InverseDynamics dynamics(robot, {});
  for (Eigen::Index i = 10; i + 10 < t.num_samples(); i += 7) {
    const Eigen::VectorXd rows = dynamics.compute({t.q.col(i), t.v.col(i)}, t.a.col(i), {});
    const Eigen::Quaterniond turn(Eigen::Vector4d(t.q.col(i).segment<4>(3)));
    EXPECT_LT((turn * Eigen::Vector3d(rows.head<3>()) - t.force.col(i)).norm(), 0.01 * robot.mass() * kGravity) << i;
    EXPECT_TRUE(torque.col(i).allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(OfStyle, Rise, testing::Values("natural", "elderly"),
                         [](const auto& info) { return info.param; });

TEST(RisePlan, IsSharedByRunsThatPlanAlike) {
  const Scenario scenario = load_scenario("sit_to_stand_natural", std::vector<Override>{{"plan.parameters", "true"}});
  const auto plan = rise_plan_of(scenario);
  EXPECT_EQ(plan, rise_plan_of(with_values(scenario, std::vector<Override>{{"world.chair.height_m", "0.47"}})));
  EXPECT_EQ(plan, rise_plan_of(with_values(scenario, std::vector<Override>{{"plan.speed", "1.2"}})));
}

TEST(RisePlan, ForAnotherRobotIsRefused) {
  EXPECT_THROW(parse_scenario("scenario: x\nrobot: sarcos\nduration_s: 1\nplan: {style: natural}\n"
                              "reference: {trajectory: {folder: nowhere}}\n",
                              "x.yaml"),
               FileError);
  const Scenario lost = parse_scenario(
      "scenario: x\nrobot: sarcos\nduration_s: 1\n"
      "reference: {trajectory: {folder: nowhere}}\n",
      "x.yaml");
  EXPECT_THROW(rise_plan_of(lost), FileError);
}

}  // namespace
}  // namespace aplomb
