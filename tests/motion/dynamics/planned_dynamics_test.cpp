#include "aplomb/motion/dynamics/planned_dynamics.hpp"

#include <gtest/gtest.h>

#include "aplomb/motion/dynamics/contact_dynamics.hpp"
#include "motion/spline_plan.hpp"

namespace aplomb {
namespace {

const RobotModel& robot() {
  static const RobotModel loaded = RobotModel::load("hoap3");
  return loaded;
}

MotionPlan seated_plan(double rate_hz = 100.0) {
  MotionPlan plan = test::spline_plan(robot(), rate_hz, test::half_sitting_motion(robot(), 2.0));
  test::add_contacts(robot(), 0.6, plan);
  for (Eigen::Index i = 0; i < plan.trajectory.num_samples(); ++i) {
    plan.trajectory.seat_share[i] = std::max(0.0, 0.5 * (1.0 - (plan.trajectory.time_s(i) - 0.5) / 0.1));
  }
  return plan;
}

Eigen::MatrixXd residual(const MotionPlan& plan, const PlannedDynamics& dynamics, double speed) {
  ContactDynamics check(robot(), plan.contacts);
  Eigen::MatrixXd rows(robot().nv(), plan.trajectory.num_samples());
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    check.update({plan.trajectory.q.col(i), speed * plan.trajectory.v.col(i)},
                 speed * speed * plan.trajectory.a.col(i));
    std::vector<Vector6d> wrenches;
    for (const auto& contact : dynamics.wrenches) wrenches.push_back(contact.wrench.col(i));
    rows.col(i) = check.torque(wrenches);
    rows.col(i).tail(robot().num_joints()) -= dynamics.torque.col(i);
  }
  return rows;
}

TEST(PlannedDynamics, WrenchesAndTorquesMeetTheEquationOfMotion) {
  const MotionPlan plan = seated_plan();
  for (const double speed : {1.0, 0.5, 2.0}) {
    const PlannedDynamics rebuilt = planned_dynamics(robot(), plan, speed);
    ASSERT_EQ(rebuilt.wrenches.size(), 3U);
    EXPECT_LT(residual(plan, rebuilt, speed).lpNorm<Eigen::Infinity>(), 1e-9) << speed;
  }
}

TEST(PlannedDynamics, TheSeatCarriesItsShareAndNothingAfterSeatOff) {
  const MotionPlan plan = seated_plan();
  const PlannedDynamics rebuilt = planned_dynamics(robot(), plan, 1.0);
  for (Eigen::Index i = 0; i < plan.trajectory.num_samples(); ++i) {
    double all = 0.0;
    for (const auto& contact : rebuilt.wrenches) all += contact.wrench(2, i);
    EXPECT_NEAR(rebuilt.wrenches[2].wrench(2, i), plan.trajectory.seat_share[i] * all, 1e-9 * all) << i;
    if (plan.trajectory.time_s(i) > 0.6) {
      EXPECT_EQ(rebuilt.wrenches[2].wrench.col(i).norm(), 0.0) << i;
    }
  }
}

TEST(PlannedDynamics, PlannedWrenchesAreKeptWhereTheyMeetTheEquationOfMotion) {
  MotionPlan plan = seated_plan();
  PlannedDynamics chosen = planned_dynamics(robot(), plan, 1.0);
  // Another distribution with the same resultant: the feet turn against each other.
  chosen.wrenches[0].wrench.row(4).array() += 1.5;
  chosen.wrenches[1].wrench.row(4).array() -= 1.5;
  plan.trajectory.wrenches = chosen.wrenches;
  const PlannedDynamics again = planned_dynamics(robot(), plan, 1.0);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT((again.wrenches[k].wrench - chosen.wrenches[k].wrench).lpNorm<Eigen::Infinity>(), 1e-9) << k;
  }
  EXPECT_GT((again.torque - chosen.torque).lpNorm<Eigen::Infinity>(), 0.1);  // and the torques are theirs
  EXPECT_LT(residual(plan, again, 1.0).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(PlannedDynamics, ASeatThatIsTakenAgainCarriesItsShareOnce) {
  MotionPlan plan = seated_plan();
  plan.contacts.contacts.push_back(plan.contacts.contacts.back());
  plan.contacts.contacts.back().start_s = 0.65;
  plan.contacts.contacts.back().end_s = 1.0;
  for (Eigen::Index i = 16; i < plan.trajectory.num_samples(); ++i) plan.trajectory.seat_share[i] = 0.3;
  const PlannedDynamics rebuilt = planned_dynamics(robot(), plan, 1.0);
  ASSERT_EQ(rebuilt.wrenches.size(), 3U);
  for (const Eigen::Index i : {2L, 18L}) {
    double all = 0.0;
    for (const auto& contact : rebuilt.wrenches) all += contact.wrench(2, i);
    EXPECT_NEAR(rebuilt.wrenches[2].wrench(2, i), plan.trajectory.seat_share[i] * all, 1e-9 * all) << i;
  }
}

TEST(PlannedDynamics, SharesFollowFromTheWrenches) {
  MotionPlan plan = seated_plan();
  const Eigen::VectorXd share = plan.trajectory.seat_share;
  plan.trajectory.wrenches = planned_dynamics(robot(), plan, 1.0).wrenches;
  plan.trajectory.seat_share.setConstant(0.77);  // no longer used
  EXPECT_LT((seat_share_of(plan.trajectory) - share).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(hand_share_of(plan.trajectory).cols(), 0);
  plan.trajectory.wrenches.push_back({ContactSite::right_hand, 0.5 * plan.trajectory.wrenches[0].wrench});
  const Eigen::Matrix2Xd hands = hand_share_of(plan.trajectory);
  EXPECT_EQ(hands.row(kLeft).norm(), 0.0);
  EXPECT_GT(hands.row(kRight).minCoeff(), 0.05);
}

}  // namespace
}  // namespace aplomb
