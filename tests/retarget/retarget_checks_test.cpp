#include "aplomb/retarget/retarget_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "aplomb/present/retarget_report.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/support_region.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

const RobotModel& coman() {
  static const RobotModel robot = RobotModel::load("coman");
  return robot;
}

/// The natural style on CoMan, planned once for all tests.
const Retargeted& natural() {
  static const Retargeted made = retarget(test::demonstrated_trial("natural"), coman(), {});
  return made;
}

Result judged(const Retargeted& made, bool keeps_zmp = true) {
  return describe(made, coman(), "natural", keeps_zmp).result;
}

std::vector<std::string> failed(const Result& result) {
  std::vector<std::string> names;
  for (const CheckOutcome& outcome : result.checks) {
    if (!outcome.ok) names.push_back(outcome.check.metric);
  }
  return names;
}

TEST(RetargetChecks, AGoodMotionPassesAllAndEachSaysItsReason) {
  const Result result = judged(natural());
  EXPECT_EQ(failed(result), std::vector<std::string>());
  EXPECT_EQ(result.checks.size(), 8u);
  for (const CheckOutcome& outcome : result.checks) EXPECT_FALSE(outcome.check.reason.empty()) << outcome.check.metric;
}

TEST(RetargetChecks, EachTurnsRedByADamageJustBeyondItsBound) {
  const double leg = natural().leg_length, needed = natural().zmp_margin_needed;
  EXPECT_NEAR(leg, 0.42, 0.03);
  using Damage = std::function<void(Retargeted&)>;
  const std::map<std::string, std::pair<Damage, Damage>> damages = {
      {"infeasible_frames", {[](auto&) {}, [](auto& made) { made.infeasible_frames = 1; }}},
      {"com_residual_max_m",
       {[](auto& made) { made.com_residual_max = 9e-7; }, [](auto& made) { made.com_residual_max = 2e-6; }}},
      {"com_target_shift_max_m",
       {[=](auto& made) { made.com_target_shift_max = 0.049 * leg; },
        [=](auto& made) { made.com_target_shift_max = 0.051 * leg; }}},
      {"slowdown", {[](auto& made) { made.slowdown = 1.41; }, [](auto& made) { made.slowdown = 1.42; }}},
      {"joint_speed_ratio_max",
       {[](auto& made) { made.joint_speed_ratio_max = 0.99; },
        [](auto& made) { made.joint_speed_ratio_max = 12.6 / 11.0; }}},
      {"zmp_kept", {[](auto&) {}, [](auto& made) { made.is_zmp_kept = false; }}},
      {"zmp_margin_planned_min_m",
       {[=](auto& made) { made.zmp_margin_min = needed + 1e-4; },
        [=](auto& made) { made.zmp_margin_min = needed - 1e-4; }}},
  };
  for (const auto& [metric, both] : damages) {
    Retargeted good = natural(), bad = natural();
    both.first(good);
    both.second(bad);
    EXPECT_EQ(failed(judged(good)), std::vector<std::string>()) << metric;
    EXPECT_EQ(failed(judged(bad)), std::vector<std::string>{metric});
    EXPECT_EQ(judged(bad).verdict(), "fail") << metric;
  }
}

TEST(RetargetChecks, APlanThatNeedsMoreTorqueThanAJointHasFails) {
  // Ten times as fast: the inertial torques grow by a hundred.
  Retargeted hasty = natural();
  hasty.trajectory.v *= 10.0;
  hasty.trajectory.a *= 100.0;
  EXPECT_EQ(failed(judged(hasty)), std::vector<std::string>{"plan_torque_ratio_max"});
  EXPECT_LT(*judged(natural()).metrics.number("plan_torque_ratio_max"), 1.0);
}

TEST(RetargetChecks, WithoutTheZmpConstraintTheZmpIsNotJudged) {
  Retargeted made = natural();
  made.is_zmp_kept = false;
  made.zmp_margin_min = -0.1;
  EXPECT_EQ(failed(judged(made, /*keeps_zmp=*/false)), std::vector<std::string>());
}

TEST(RetargetChecks, TheZmpMarginIsThatOfTheTrajectoryThatIsWritten) {
  const Trajectory& plan = natural().trajectory;
  TreeKinematics tree(coman());
  tree.update(plan.q.col(0));
  std::vector<Eigen::Vector2d> corners;
  for (int side : {kLeft, kRight}) {
    const Sole& sole = *coman().description().soles[side];
    const LinkPlacement& foot =
        coman().tree().links[static_cast<std::size_t>(coman().frame(coman().description().roles.foot[side]))];
    for (const Eigen::Vector3d& corner : sole.corners()) {
      corners.push_back(tree.point(foot.body, foot.T_body_link * corner).head<2>());
    }
  }
  const SupportRegion support(corners);
  double least = HUGE_VAL;
  for (Eigen::Index i = natural().human.rise.seat_off; i < plan.num_samples(); ++i) {
    least = std::min(least, support.signed_distance(plan.zmp.col(i)));
  }
  EXPECT_NEAR(natural().zmp_margin_min, least, 1e-6);
}

TEST(RetargetChecks, TheSpeedOfEachJointIsComparedWithItsOwnLimit) {
  double worst = 0.0;
  for (int i = 0; i < coman().num_joints(); ++i) {
    worst = std::max(worst, natural().trajectory.v.row(6 + i).cwiseAbs().maxCoeff() /
                                coman().joints()[static_cast<std::size_t>(i)].velocity);
  }
  EXPECT_GT(worst, 0.3);
  EXPECT_NEAR(natural().joint_speed_ratio_max, worst, 1e-12);
}

}  // namespace
}  // namespace aplomb
