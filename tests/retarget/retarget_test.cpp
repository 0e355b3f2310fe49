#include "aplomb/retarget/retarget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/retarget/mapping/arm_rests.hpp"
#include "retarget/demonstrated_trial.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// Planned once for all tests.
const Retargeted& plan_of(const std::string& style, const std::string& robot) {
  static std::map<std::string, Retargeted> plans;
  const auto found = plans.find(style + " " + robot);
  if (found != plans.end()) return found->second;
  return plans.emplace(style + " " + robot, retarget(test::demonstrated_trial(style), RobotModel::load(robot), {}))
      .first->second;
}

TEST(Retarget, KeepsBothStylesOnTheRobotOfThePaper) {
  double dips[2] = {};
  for (int style = 0; style < 2; ++style) {
    const Retargeted& made = plan_of(style == 0 ? "natural" : "elderly", "sarcos_real");
    EXPECT_EQ(made.overlay.markers.size(), 41u);
    EXPECT_LE(made.com_residual_max, 1e-6);
    EXPECT_LE(made.com_target_shift_max, 0.030);
    EXPECT_EQ(made.infeasible_frames, 0);
    EXPECT_LE(made.marker_rms, 0.055);
    EXPECT_LE(made.marker_rms - made.marker_rms_free, 0.018);
    EXPECT_GE(made.zmp_margin_min, 0.025);
    EXPECT_LE(made.joint_speed_max, 7.0);
    EXPECT_LE(made.jerk_rms, 0.5 * made.jerk_rms_frames);
    dips[style] = made.com_dip;
  }
  EXPECT_GE(dips[1], 1.5 * dips[0]);
}

TEST(Retarget, BlendsToThePersonsHeightAfterSeatOffWithoutAJumpOfSpeed) {
  for (const char* style : {"natural", "elderly"}) {
    const Retargeted& made = plan_of(style, "sarcos_real");
    const auto height = made.trajectory.com.row(2);
    const Eigen::Index seat_off = made.human.rise.seat_off;
    for (Eigen::Index i = seat_off - 5; i < seat_off + 5; ++i) {
      const double up = std::pow(made.trajectory.rate_hz, 2) * (height[i + 1] - 2.0 * height[i] + height[i - 1]);
      EXPECT_LT(std::abs(up), 3.0) << style << " " << i;  // [m/s²]; the height as mapped would jump by 20 and more
    }
  }
}

class RetargetOnOtherRobots : public testing::TestWithParam<const char*> {};

TEST_P(RetargetOnOtherRobots, FindsAChairThatFitsTheirLegsAndMeetsEveryFrame) {
  for (const char* style : {"natural", "elderly"}) {
    const Retargeted& made = plan_of(style, GetParam());
    EXPECT_EQ(made.infeasible_frames, 0) << style;
    EXPECT_LE(made.com_residual_max, 1e-6) << style;
    EXPECT_TRUE(made.is_zmp_kept) << style << " " << made.zmp_margin_min;
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, RetargetOnOtherRobots, testing::Values("coman", "talos", "hoap3", "g1"));

TEST(Retarget, PlansAMotionWithFixedFeetAndTheCentreOfMassOnItsReference) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const Retargeted& made = plan_of("natural", "sarcos_real");
  TreeKinematics tree(robot);
  const LinkPlacement& foot = robot.tree().links[static_cast<std::size_t>(robot.frame("left_foot"))];
  tree.update(made.trajectory.q.col(0));
  const Eigen::Vector3d there = tree.point(foot.body, foot.T_body_link.translation());
  for (Eigen::Index i = 0; i < made.trajectory.num_samples(); ++i) {
    tree.update(made.trajectory.q.col(i));
    EXPECT_LT((tree.point(foot.body, foot.T_body_link.translation()) - there).norm(), 1e-6);
    EXPECT_LT((tree.com() - made.com_asked.col(i)).head<2>().norm(), 1e-6);
    if (i < made.human.rise.seat_off) continue;
    EXPECT_LT((tree.com() - made.com_asked.col(i)).norm(), 1e-6);
  }
  EXPECT_TRUE(made.contacts.is_active(ContactSite::seat, 0.0));
  EXPECT_FALSE(made.contacts.is_active(ContactSite::seat, made.trajectory.end_s()));
  EXPECT_TRUE(made.contacts.is_active(ContactSite::left_foot, made.trajectory.end_s()));
}

TEST(Retarget, TheMotionPlanIsItsTrajectoryWithItsContacts) {
  const Retargeted& made = plan_of("natural", "sarcos_real");
  const MotionPlan plan = made.plan();
  EXPECT_EQ(plan.trajectory.q, made.trajectory.q);
  EXPECT_EQ(plan.contacts.contacts.size(), made.contacts.contacts.size());
  const MotionPlan moved = Retargeted(made);
  EXPECT_EQ(moved.trajectory.q, plan.trajectory.q);
}

TEST(FrameVerdict, NamesSixLimitsAndKnowsThoseItDoesNotName) {
  FrameVerdict verdict{.is_feasible = false};
  EXPECT_EQ(verdict.reason(), "no limit is active: the solver did not converge");
  for (const char* joint : {"a", "b", "c", "d", "e", "f"}) verdict.limits.push_back({ActiveLimit::Kind::range, joint});
  EXPECT_FALSE(verdict.is_at(ActiveLimit::Kind::speed));
  verdict.limits.push_back({ActiveLimit::Kind::speed, "g"});
  EXPECT_EQ(verdict.reason(), "a, b, c, d, e, f and 1 more");
  EXPECT_TRUE(verdict.is_at(ActiveLimit::Kind::speed));
  verdict.limits.erase(verdict.limits.begin());
  EXPECT_EQ(verdict.reason(), "b, c, d, e, f, g (speed)");
}

TEST(Retarget, KeepsHandsOnArmRestsUntilTheirRelease) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const Retargeted& made = plan_of("arm_rests", "sarcos_real");
  EXPECT_EQ(made.infeasible_frames, 0);
  EXPECT_GE(made.zmp_margin_min, 0.025);
  EXPECT_LE(made.joint_speed_max, 7.0);
  ASSERT_EQ(made.seated.hands.size(), 2u);
  const Trajectory& plan = made.trajectory;
  TreeKinematics tree(robot);
  for (Eigen::Index i = 0; i < plan.num_samples(); ++i) {
    tree.update(plan.q.col(i));
    for (const RestingHand& hand : made.seated.hands) {
      const Eigen::Index off = made.human.rise.hand_off[hand.side];
      const Eigen::Vector3d at = tree.point(hand.body, hand.offset);
      if (i < off) {
        EXPECT_LT((at - hand.place).norm(), 1e-6) << i;
      } else {
        EXPECT_EQ(plan.hand_share(static_cast<Eigen::Index>(hand.side), i), 0.0) << i;
      }
      if (i > off + 60) {
        EXPECT_GT((at - hand.place).norm(), 0.02) << i;
      }
    }
  }
  EXPECT_NEAR(plan.hand_share.colwise().sum().maxCoeff(), 0.30, 0.01);
  EXPECT_TRUE(made.contacts.is_active(ContactSite::left_hand, 0.0));
  EXPECT_TRUE(made.contacts.is_active(ContactSite::right_hand, plan.time_s(made.human.rise.seat_off)));
  EXPECT_FALSE(made.contacts.is_active(ContactSite::left_hand, plan.end_s()));
}

TEST(Retarget, ForcesOfHandsAndGroundAddUpToTheForceOfTheMotion) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const Retargeted& made = plan_of("arm_rests", "sarcos_real");
  const Eigen::Matrix2Xd share = hand_share(made.human, made.seated);
  const PlannedForces all = planned_forces(robot, made.trajectory.q, made.trajectory.rate_hz);
  PlannedForces ground = all;
  leave_out_hands(share, made.seated, ground);
  for (Eigen::Index i = 0; i < all.zmp.cols(); ++i) {
    // Moments about y through the origin; the ground's part acts on the floor.
    const Eigen::Vector3d force = all.force.col(i);
    double moment = -(1.0 - share.col(i).sum()) * ground.zmp(0, i) * force.z();
    for (const RestingHand& hand : made.seated.hands) {
      const double part = share(static_cast<Eigen::Index>(hand.side), i);
      moment += part * (hand.place.z() * force.x() - hand.place.x() * force.z());
    }
    EXPECT_NEAR(moment, -all.zmp(0, i) * force.z(), 1e-6) << i;
  }
  EXPECT_EQ(share.rightCols(10).maxCoeff(), 0.0);
}

TEST(Retarget, ReleasesHandsThatKeepTheBodyFromItsPath) {
  const Retargeted made = retarget(test::demonstrated_trial("arm_rests"), RobotModel::load("coman"), {});
  EXPECT_EQ(made.infeasible_frames, 0);
  EXPECT_TRUE(made.seated.hands.empty());
  EXPECT_GT(made.zmp_margin_min, 0.0);  // of the motion that is written; of a smoothed copy it is above 10 mm
  const std::string note =
      "the person pushes off arm rests; held there, the robot's hands would not let its body follow";
  EXPECT_NE(std::ranges::find(made.notes, note), made.notes.end());
}

TEST(Retarget, StylesWithoutArmRestsHaveNoHandsInTheirContacts) {
  for (const char* style : {"natural", "elderly"}) {
    const Retargeted& made = plan_of(style, "sarcos_real");
    EXPECT_EQ(made.contacts.contacts.size(), 3u);
    EXPECT_EQ(made.trajectory.hand_share.cols(), 0);
  }
}

TEST(Retarget, WithoutTheZmpConstraintTheReferenceIsTheMappedCentreOfMass) {
  const RobotModel robot = RobotModel::load("g1");
  const Retargeted made = retarget(test::demonstrated_trial("natural"), robot, {.keeps_zmp = false});
  EXPECT_TRUE((made.com_asked - made.com_mapped).topRows<2>().isZero(0.0));
  EXPECT_LT(made.com_target_shift_max, 0.005);  // its height, which is taken up smoothly
  EXPECT_EQ(made.zmp_iterations, 0);
}

TEST(Retarget, ATrialInWhichNobodySitsIsRefused) {
  HumanTrial trial = test::demonstrated_trial("natural");
  trial.rises.clear();
  EXPECT_THROW(retarget(trial, RobotModel::load("coman"), {}), InvalidValue);
}

TEST(Retarget, AMotionWithAFrameOneMetreAwayIsAnsweredWithinTheBound) {
  HumanTrial trial = test::demonstrated_trial("natural");
  const auto seat_off = static_cast<Eigen::Index>(trial.rises[0].seat_off_s * trial.motion.rate_hz);
  trial.motion.q(0, seat_off + 20) += 1.0;
  try {
    const Retargeted made = retarget(trial, RobotModel::load("sarcos_real"));
    EXPECT_GT(made.infeasible_frames, 0);  // an answer, too
  } catch (const InvalidValue& error) {
    EXPECT_TRUE(
        test::has(error.what(), "no plan for robot 'sarcos_real' within 4.0 million linear systems: at posture"));
  }
}

TEST(Retarget, AChairThatIsTooLowIsRefused) {
  EXPECT_THROW(retarget(test::demonstrated_trial("natural"), RobotModel::load("coman"), {.chair_height = 0.03}),
               InvalidValue);
}

TEST(Retarget, TheReportNamesTheAnchorsAndTheMap) {
  const Retargeted& made = plan_of("natural", "coman");
  const RetargetOutput output = describe(made, RobotModel::load("coman"), "natural", true);
  EXPECT_TRUE(output.result.all_checks_hold());
  EXPECT_EQ(output.log.num_rows(), made.frames.size());
  EXPECT_EQ(output.page.tables[0].rows.size(), 3u);
  EXPECT_EQ(angles_of(made.trajectory).table.num_rows(), made.frames.size());
}

}  // namespace
}  // namespace aplomb
