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

const RobotModel& sarcos() {
  static const RobotModel robot = RobotModel::load("sarcos_real");
  return robot;
}

/// Robot on which a mode's plan of the natural style passes: frames that are solved alone need too much torque of
/// Sarcos.
const RobotModel& robot_of(RetargetMode mode) {
  static const RobotModel coman = RobotModel::load("coman");
  return mode == RetargetMode::frames ? coman : sarcos();
}

/// The natural style on that robot, planned once for all tests.
const Retargeted& natural(RetargetMode mode = RetargetMode::priced) {
  static std::map<RetargetMode, Retargeted> plans;
  const auto found = plans.find(mode);
  if (found != plans.end()) return found->second;
  return plans.emplace(mode, retarget(test::demonstrated_trial("natural"), robot_of(mode), {.mode = mode}))
      .first->second;
}

Result judged(const Retargeted& made) { return describe(made, robot_of(made.mode), "natural").result; }

std::vector<std::string> failed(const Result& result) {
  std::vector<std::string> names;
  for (const CheckOutcome& outcome : result.checks) {
    if (!outcome.ok) names.push_back(outcome.check.metric);
  }
  return names;
}

class RetargetChecksOfAMode : public testing::TestWithParam<RetargetMode> {};

TEST_P(RetargetChecksOfAMode, AGoodMotionPassesAllAndEachSaysItsReason) {
  const Result result = judged(natural(GetParam()));
  EXPECT_EQ(failed(result), std::vector<std::string>());
  const std::map<RetargetMode, std::size_t> counts = {
      {RetargetMode::frames, 5}, {RetargetMode::hard, 9}, {RetargetMode::priced, 8}};
  EXPECT_EQ(result.checks.size(), counts.at(GetParam()));
  for (const CheckOutcome& outcome : result.checks) EXPECT_FALSE(outcome.check.reason.empty()) << outcome.check.metric;
}

TEST_P(RetargetChecksOfAMode, EachTurnsRedByADamageJustBeyondItsBound) {
  const Retargeted& made = natural(GetParam());
  const double leg = made.leg_length;
  EXPECT_GT(leg, 0.3);
  const Metrics metrics = judged(made).metrics;
  const double length = *metrics.number("plan_cop_margin_length_min_m");
  const double width = *metrics.number("plan_cop_margin_width_min_m");
  const double torque = *metrics.number("plan_torque_ratio_max");
  ASSERT_LT(torque, 1.0);
  using Damage = std::function<void(Retargeted&)>;
  std::map<std::string, std::pair<Damage, Damage>> damages = {
      {"infeasible_frames", {[](auto&) {}, [](auto& plan) { plan.infeasible_frames = 1; }}},
      {"com_target_shift_max_m",
       {[=](auto& plan) { plan.com_target_shift_max = 0.0399 * leg; },
        [=](auto& plan) { plan.com_target_shift_max = 0.0401 * leg; }}},
      {"joint_speed_ratio_max",
       {[](auto& plan) { plan.joint_speed_ratio_max = 0.99; }, [](auto& plan) { plan.joint_speed_ratio_max = 1.01; }}},
  };
  if (GetParam() != RetargetMode::priced) {
    damages["com_residual_max_m"] = {[](auto& plan) { plan.com_residual_max = 9e-7; },
                                     [](auto& plan) { plan.com_residual_max = 1.1e-6; }};
  }
  if (GetParam() != RetargetMode::frames) {
    damages["person_flight_s"] = {[](auto& plan) { plan.human.flight_s = 0.09; },
                                  [](auto& plan) { plan.human.flight_s = 0.11; }};
    damages["plan_settled"] = {[](auto&) {}, [](auto& plan) { plan.is_settled = false; }};
    damages["plan_cop_margin_length_min_m"] = {[=](auto& plan) { plan.cop_margin_needed.x() = length - 1e-4; },
                                               [=](auto& plan) { plan.cop_margin_needed.x() = length + 1e-4; }};
    damages["plan_cop_margin_width_min_m"] = {[=](auto& plan) { plan.cop_margin_needed.y() = width - 1e-4; },
                                              [=](auto& plan) { plan.cop_margin_needed.y() = width + 1e-4; }};
  }
  EXPECT_EQ(damages.size() + 1, judged(made).checks.size());  // and the torque, below
  for (const auto& [metric, both] : damages) {
    Retargeted good = made, bad = made;
    both.first(good);
    both.second(bad);
    EXPECT_EQ(failed(judged(good)), std::vector<std::string>()) << metric;
    EXPECT_EQ(failed(judged(bad)), std::vector<std::string>{metric});
    EXPECT_EQ(judged(bad).verdict(), "fail") << metric;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RetargetChecksOfAMode,
                         testing::Values(RetargetMode::frames, RetargetMode::hard, RetargetMode::priced),
                         [](const auto& mode) {
                           return std::string(kRetargetModeNames[static_cast<std::size_t>(mode.param)]);
                         });

TEST(RetargetChecks, APlanThatNeedsMoreTorqueThanAJointHasFails) {
  // Contact forces three times as large: the CoPs stay, the torques that hold the legs do not.
  Retargeted heavy = natural();
  for (Trajectory::ContactWrenches& contact : heavy.trajectory.wrenches) contact.wrench *= 3.0;
  EXPECT_EQ(failed(judged(heavy)), std::vector<std::string>{"plan_torque_ratio_max"});
}

TEST(RetargetChecks, AFootWhoseForceMovesToItsEdgeFails) {
  Retargeted tipping = natural();
  for (Trajectory::ContactWrenches& contact : tipping.trajectory.wrenches) {
    if (contact.site != ContactSite::left_foot) continue;
    const Eigen::Index last = contact.wrench.cols() - 1;
    const Sole& sole = *sarcos().description().soles[0];
    contact.wrench(4, last) = -(0.5 * (sole.x_max - sole.x_min) - 0.001) * contact.wrench(2, last);  // 1 mm to the toe
  }
  EXPECT_EQ(failed(judged(tipping)), std::vector<std::string>{"plan_cop_margin_length_min_m"});
}

TEST(RetargetChecks, FramesThatWereSolvedAloneAreNotJudgedOnForces) {
  for (const CheckOutcome& outcome : judged(natural(RetargetMode::frames)).checks) {
    EXPECT_EQ(outcome.check.metric.find("cop"), std::string::npos);
    EXPECT_NE(outcome.check.metric, "plan_settled");
  }
}

TEST(RetargetChecks, TheZmpMarginIsThatOfTheTrajectoryThatIsWritten) {
  const Trajectory& plan = natural().trajectory;
  TreeKinematics tree(sarcos());
  tree.update(plan.q.col(0));
  std::vector<Eigen::Vector2d> corners;
  for (int side : {kLeft, kRight}) {
    const Sole& sole = *sarcos().description().soles[side];
    const LinkPlacement& foot =
        sarcos().tree().links[static_cast<std::size_t>(sarcos().frame(sarcos().description().roles.foot[side]))];
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
  for (int i = 0; i < sarcos().num_joints(); ++i) {
    worst = std::max(worst, natural().trajectory.v.row(6 + i).cwiseAbs().maxCoeff() /
                                sarcos().joints()[static_cast<std::size_t>(i)].velocity);
  }
  EXPECT_GT(worst, 0.3);
  EXPECT_NEAR(natural().joint_speed_ratio_max, worst, 1e-12);
}

}  // namespace
}  // namespace aplomb
