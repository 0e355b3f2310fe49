#include "aplomb/motion/plan_audit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/dynamics/planned_dynamics.hpp"
#include "motion/spline_plan.hpp"

namespace aplomb {
namespace {

const RobotModel& robot() {
  static const RobotModel loaded = RobotModel::load("hoap3");
  return loaded;
}

double weight() { return robot().mass() * kGravity; }

/// A motion with wrenches and torques that meet the equation of motion at every sample.
MotionPlan consistent_plan(double rate_hz, double bend = 2.0) {
  MotionPlan plan = test::spline_plan(robot(), rate_hz, test::half_sitting_motion(robot(), bend));
  test::add_contacts(robot(), 0.6, plan);
  for (Eigen::Index i = 0; i < plan.trajectory.num_samples(); ++i) {
    // Continuous, and linear between the samples at any rate that divides 0.1 s.
    plan.trajectory.seat_share[i] = std::max(0.0, 0.3 * (1.0 - (plan.trajectory.time_s(i) - 0.5) / 0.1));
  }
  PlannedDynamics dynamics = planned_dynamics(robot(), plan, 1.0);
  plan.trajectory.wrenches = std::move(dynamics.wrenches);
  plan.trajectory.torque = std::move(dynamics.torque);
  return plan;
}

/// A robot that stands still, half its weight on each sole.
MotionPlan standing_plan() {
  MotionPlan plan = consistent_plan(50.0);
  Trajectory& t = plan.trajectory;
  t.q = robot().posture("half_sitting").q.replicate(1, t.num_samples());
  t.v.setZero();
  t.a.setZero();
  plan.contacts.contacts.pop_back();
  t.wrenches.clear();
  t.seat_share.setZero();
  PlannedDynamics dynamics = planned_dynamics(robot(), plan, 1.0);
  t.wrenches = std::move(dynamics.wrenches);
  t.torque = std::move(dynamics.torque);
  return plan;
}

TEST(PlanAudit, AConsistentPlanHasNoResidualAtItsSamples) {
  const PlanAudit audit = audit_plan(robot(), consistent_plan(100.0), 3);
  EXPECT_TRUE(audit.has_wrenches);
  EXPECT_LT(audit.base_residual_max_n.value, 1e-9);
  EXPECT_LT(audit.base_residual_max_nm.value, 1e-9);
  EXPECT_LT(audit.torque_error_max_nm.value, 1e-9);
  EXPECT_LT(audit.com_error_max_m.value, 1e-12);
  EXPECT_LT(audit.spline_error_max_rad_per_s2.value, 1e-8);
}

TEST(PlanAudit, TheResidualBetweenSamplesFallsWithTheSquareOfTheInterval) {
  const PlanAudit coarse = audit_plan(robot(), consistent_plan(50.0), 3);
  const PlanAudit fine = audit_plan(robot(), consistent_plan(100.0), 3);
  ASSERT_GT(coarse.between_residual_max_n.value, 1e-3);
  EXPECT_NEAR(coarse.between_residual_max_n.value / fine.between_residual_max_n.value, 4.0, 0.8);
  EXPECT_NEAR(coarse.between_residual_max_nm.value / fine.between_residual_max_nm.value, 4.0, 0.8);
}

TEST(PlanAudit, AMissingForceIsTheResidual) {
  MotionPlan plan = consistent_plan(100.0);
  plan.trajectory.wrenches[1].wrench(0, 7) += 3.0;
  const PlanAudit audit = audit_plan(robot(), plan, 0);
  EXPECT_NEAR(audit.base_residual_max_n.value, 3.0, 1e-9);
  EXPECT_NEAR(audit.base_residual_max_n.time_s, 0.57, 1e-12);
  EXPECT_GT(audit.torque_error_max_nm.value, 1e-3);
}

TEST(PlanAudit, AMomentOnAFootMovesItsCentreOfPressure) {
  MotionPlan plan = standing_plan();
  const PlanAudit before = audit_plan(robot(), plan, 1);
  const Sole& sole = *robot().description().soles[kLeft];
  EXPECT_GT(before.cop_margin_length_min_m.value, 0.0);
  EXPECT_LE(before.cop_margin_length_min_m.value, 0.5 * (sole.x_max - sole.x_min));
  EXPECT_NEAR(before.force_min_per_weight.value, 1.0, 1e-9);
  EXPECT_NEAR(before.force_max_per_weight.value, 1.0, 1e-9);
  EXPECT_NEAR(before.jerk_rms_rad_per_s3, 0.0, 1e-12);
  EXPECT_NEAR(before.contact_drift_max_m.value, 0.0, 1e-9);

  // The feet turn against each other, at one sample: the resultant stays, each CoP moves by moment over force.
  Trajectory& t = plan.trajectory;
  const double moment = 3.0 * 0.05 * weight();  // more than the sole's length
  t.wrenches[0].wrench(4, 4) += moment;
  t.wrenches[1].wrench(4, 4) -= moment;
  const PlanAudit after = audit_plan(robot(), plan, 1);
  EXPECT_LT(after.base_residual_max_nm.value, 1e-9);
  EXPECT_LT(after.cop_margin_length_min_m.value, 0.0);
  EXPECT_NEAR(after.cop_margin_length_min_m.time_s, t.time_s(4), 1e-12);
  EXPECT_NEAR(after.cop_margin_width_min_m.value, before.cop_margin_width_min_m.value, 1e-9);
  double expected = 1e9;
  for (std::size_t side = 0; side < 2; ++side) {
    // Half-sitting, the soles are level: their axes are the world's.
    const auto wrench = t.wrenches[side].wrench.col(4);
    const double x = -wrench[4] / wrench[2], half = 0.5 * (sole.x_max - sole.x_min);
    expected = std::min(expected, half - std::abs(x));
  }
  EXPECT_NEAR(after.cop_margin_length_min_m.value, expected, 1e-6);
}

TEST(PlanAudit, TheNearerEdgeOfTheSoleCounts) {
  const Sole& sole = *robot().description().soles[kRight];
  const double length = sole.x_max - sole.x_min, width = sole.y_max - sole.y_min;
  for (const double sign : {1.0, -1.0}) {
    MotionPlan plan = standing_plan();
    auto wrench = plan.trajectory.wrenches[1].wrench.col(2);
    // CoP 3 mm inside heel or toe, and 2 mm inside a side: moments over the normal force, about the sole's centre.
    wrench[4] = -sign * (0.5 * length - 0.003) * wrench[2];
    wrench[3] = sign * (0.5 * width - 0.002) * wrench[2];
    const PlanAudit audit = audit_plan(robot(), plan, 0);
    EXPECT_NEAR(audit.cop_margin_length_min_m.value, 0.003, 1e-9) << sign;
    EXPECT_NEAR(audit.cop_margin_width_min_m.value, 0.002, 1e-9) << sign;
    EXPECT_EQ(audit.cop_margin_length_min_m.where, "right_foot");
  }
}

TEST(PlanAudit, AnUnloadedFootIsNamed) {
  MotionPlan plan = standing_plan();
  auto& wrenches = plan.trajectory.wrenches;
  wrenches[0].wrench(2, 3) += 0.45 * weight();
  wrenches[1].wrench(2, 3) -= 0.45 * weight();
  const PlanAudit audit = audit_plan(robot(), plan, 0);
  EXPECT_EQ(audit.foot_force_min_per_weight.where, "right_foot");
  EXPECT_NEAR(audit.foot_force_min_per_weight.time_s, plan.trajectory.time_s(3), 1e-12);
  EXPECT_LT(audit.foot_force_min_per_weight.value, 0.1);
}

TEST(PlanAudit, ResidualsNearAContactChangeAreListedApart) {
  MotionPlan plan = consistent_plan(100.0);
  const PlanAudit before = audit_plan(robot(), plan, 1);
  // 0.585 s is 15 ms before seat-off.
  for (const Eigen::Index i : {8L, 9L}) plan.trajectory.wrenches[2].wrench(2, i) += 5.0;
  const PlanAudit after = audit_plan(robot(), plan, 1);
  EXPECT_NEAR(after.change_residual_max_n.value, 5.0, 0.2);
  EXPECT_LT(after.between_residual_max_n.value, 3.0);  // half of it reaches the next interval
  EXPECT_NE(before.change_residual_max_n.value, after.change_residual_max_n.value);
}

TEST(PlanAudit, RatesThatAreNotDerivativesAreFound) {
  MotionPlan plan = consistent_plan(100.0);
  plan.trajectory.v(6 + 3, 5) += 0.01;
  const PlanAudit audit = audit_plan(robot(), plan, 3);
  EXPECT_GT(audit.spline_error_max_rad_per_s2.value, 1.0);
  EXPECT_EQ(audit.spline_error_max_rad_per_s2.where, robot().joints()[3].name);
}

TEST(PlanAudit, ATorqueBeyondItsLimitIsNamedWithItsJoint) {
  const MotionPlan plan = standing_plan();
  const PlanAudit audit = audit_plan(robot(), plan, 0);
  double expected = 0.0;
  std::string joint;
  for (int i = 0; i < robot().num_joints(); ++i) {
    const Joint& one = robot().joints()[static_cast<std::size_t>(i)];
    const double ratio = plan.trajectory.torque.row(i).cwiseAbs().maxCoeff() / one.effort;
    if (ratio > expected) {
      expected = ratio;
      joint = one.name;
    }
  }
  EXPECT_NEAR(audit.torque_ratio_max.value, expected, 1e-9);
  EXPECT_EQ(audit.torque_ratio_max.where, joint);
}

TEST(PlanAudit, PlansWithoutWrenchesAreExaminedWithRebuiltOnes) {
  MotionPlan plan = consistent_plan(100.0);
  const PlanAudit with = audit_plan(robot(), plan, 2);
  plan.trajectory.wrenches.clear();
  plan.trajectory.torque.resize(0, 0);
  const PlanAudit without = audit_plan(robot(), plan, 2);
  EXPECT_FALSE(without.has_wrenches);
  EXPECT_FALSE(without.torque_error_max_nm.exists());
  EXPECT_NEAR(without.torque_ratio_max.value, with.torque_ratio_max.value, 1e-9);
  EXPECT_NEAR(without.cop_margin_width_min_m.value, with.cop_margin_width_min_m.value, 1e-9);
}

TEST(PlanAudit, MetricsAreNullWhereThereIsNothingToMeasure) {
  Metrics metrics;
  set_metrics(audit_plan(robot(), standing_plan(), 0), metrics);
  EXPECT_TRUE(metrics.number("plan_cop_margin_length_min_m").has_value());
  EXPECT_TRUE(metrics.number("plan_base_residual_max_n").has_value());
  for (const char* name : {"plan_support_force_min_per_weight", "plan_between_residual_max_n"}) {
    ASSERT_NE(metrics.find(name), nullptr) << name;
    EXPECT_FALSE(metrics.number(name).has_value()) << name;
  }
}

TEST(PlanAudit, AFootThatStepsIsJudgedWhileItStands) {
  MotionPlan plan = standing_plan();
  Trajectory& t = plan.trajectory;
  // The right foot is lifted from sample 3 to 6: the left one carries all.
  ContactPlan::Contact& right = plan.contacts.contacts[1];
  ContactPlan::Contact again = right;
  right.end_s = t.time_s(3);
  again.start_s = t.time_s(7);
  plan.contacts.contacts.push_back(again);
  t.wrenches.clear();
  t.wrenches = planned_dynamics(robot(), plan, 1.0).wrenches;
  for (Eigen::Index i = 3; i < 7; ++i) EXPECT_EQ(t.wrenches[1].wrench.col(i).norm(), 0.0) << i;
  const PlanAudit audit = audit_plan(robot(), plan, 3);
  EXPECT_LT(audit.base_residual_max_n.value, 1e-9);
  EXPECT_GT(audit.foot_force_min_per_weight.value, 0.3);
  EXPECT_EQ(audit.cop_margin_width_min_m.where, "left_foot");
  EXPECT_LT(audit.cop_margin_width_min_m.value, 0.0);  // the CoM is not above the left sole
}

TEST(PlanAudit, PlansThatDoNotFitTheRobotAreRefused) {
  MotionPlan plan = consistent_plan(100.0);
  const MotionPlan good = plan;
  plan.trajectory.q.conservativeResize(robot().nq() - 1, Eigen::NoChange);
  EXPECT_THROW(audit_plan(robot(), plan, 1), InvalidValue);
  plan = good;
  plan.contacts.contacts.pop_back();  // wrenches of a seat that the schedule lacks
  EXPECT_THROW(audit_plan(robot(), plan, 1), InvalidValue);
  plan = good;
  plan.trajectory.wrenches[0].wrench.conservativeResize(6, 3);
  EXPECT_THROW(audit_plan(robot(), plan, 1), InvalidValue);
  plan = good;
  plan.contacts.contacts[0].link = "no_such_link";
  EXPECT_THROW(audit_plan(robot(), plan, 1), UnknownName);
}

}  // namespace
}  // namespace aplomb
