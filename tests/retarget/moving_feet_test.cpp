#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "aplomb/motion/plan_audit.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "retarget/demonstrated_trial.hpp"

namespace aplomb {
namespace {

struct Planned {
  Planned(const char* style, const char* name)
      : robot(RobotModel::load(name)),
        made(retarget(test::demonstrated_trial(style), robot, {.clip = ClipKind::whole})) {}

  std::vector<ContactPlan::Contact> stances(ContactSite foot) const {
    std::vector<ContactPlan::Contact> found;
    std::ranges::copy_if(made.contacts.contacts, std::back_inserter(found),
                         [&](const ContactPlan::Contact& contact) { return contact.site == foot; });
    return found;
  }
  const Eigen::Matrix<double, 6, Eigen::Dynamic>& wrench(ContactSite foot) const {
    const auto& all = made.trajectory.wrenches;
    return std::ranges::find(all, foot, &Trajectory::ContactWrenches::site)->wrench;
  }
  /// The lowest and the highest corner of a sole, and its centre.
  struct Sole {
    double lowest = HUGE_VAL;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  };
  Sole sole(ContactSite foot, Eigen::Index sample) const {
    const auto side = static_cast<std::size_t>(side_of(foot));
    const LinkPlacement& link =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    TreeKinematics tree(robot);
    tree.update(made.trajectory.q.col(sample));
    Sole found;
    for (const Eigen::Vector3d& corner : robot.description().soles[side]->corners()) {
      const Eigen::Vector3d at = tree.point(link.body, link.T_body_link * corner);
      found.lowest = std::min(found.lowest, at.z());
      found.centre += 0.25 * at;
    }
    return found;
  }

  RobotModel robot;
  Retargeted made;
};

void expect_valid(const Planned& planned, const std::string& name) {
  const Result result = describe(planned.made, planned.robot, name).result;
  for (const CheckOutcome& outcome : result.checks) EXPECT_TRUE(outcome.ok) << name << " " << outcome.check.metric;
  const double weight = planned.robot.mass() * kGravity;
  const PlanAudit audit = audit_plan(planned.robot, planned.made.plan(), 3);
  EXPECT_LT(audit.base_residual_max_n.value, 1.0) << name;
  EXPECT_LT(audit.base_residual_max_nm.value, 1.0) << name;
  EXPECT_LT(audit.between_residual_max_n.value, 0.01 * weight) << name << " " << audit.between_residual_max_n.time_s;
  EXPECT_LT(audit.change_residual_max_n.value, 0.02 * weight) << name << " " << audit.change_residual_max_n.time_s;
  EXPECT_LT(audit.contact_drift_max_m.value, 0.002) << name << " " << audit.contact_drift_max_m.time_s;
  EXPECT_GE(audit.foot_force_min_per_weight.value, -1e-3) << name;
}

/// A foot in the air bears nothing, is clear of the floor in the middle of its way, and meets the floor at rest.
void expect_swings(const Planned& planned, ContactSite foot, std::size_t swings) {
  const std::vector<ContactPlan::Contact> stances = planned.stances(foot);
  ASSERT_EQ(stances.size(), swings + 1);
  const double rate = planned.made.trajectory.rate_hz;
  for (std::size_t i = 1; i < stances.size(); ++i) {
    const auto lift = static_cast<Eigen::Index>(std::lround(stances[i - 1].end_s * rate));
    const auto land = static_cast<Eigen::Index>(std::lround(stances[i].start_s * rate));
    ASSERT_LT(lift + 20, land);
    for (Eigen::Index k = lift; k <= land; ++k) EXPECT_LT(planned.wrench(foot).col(k).norm(), 1e-6) << k;
    const double floor = planned.sole(foot, 0).lowest;
    EXPECT_GT(planned.sole(foot, (lift + land) / 2).lowest, floor + 0.02 * planned.made.leg_length);
    // It is there a knot, two samples, before the contact begins; in between the spline leaves it by less than 0.5 mm.
    const Eigen::Vector3d placed = planned.sole(foot, land).centre;
    for (const Eigen::Index before : {1, 2})
      EXPECT_LT((planned.sole(foot, land - before).centre - placed).norm(), 5e-4);
  }
}

TEST(MovingFeet, ARobotStandsOnOneFootAsThePersonDoes) {
  const Planned planned("one_foot", "sarcos_real");
  expect_valid(planned, "one_foot");
  expect_swings(planned, ContactSite::right_foot, 1);
  EXPECT_EQ(planned.stances(ContactSite::left_foot).size(), 1u);
}

TEST(MovingFeet, ARobotStepsAsFarAsThePersonForItsLegs) {
  const Planned planned("step", "sarcos_real");
  expect_valid(planned, "step");
  const Retargeted& made = planned.made;
  const double step = made.overlay.scale * (made.human.feet(0, made.human.num_frames() - 1) - made.human.feet(0, 0));
  EXPECT_GT(step, 0.1);
  for (const ContactSite foot : {ContactSite::left_foot, ContactSite::right_foot}) {
    expect_swings(planned, foot, 1);
    const Eigen::Vector3d moved =
        planned.sole(foot, made.trajectory.num_samples() - 1).centre - planned.sole(foot, 0).centre;
    EXPECT_NEAR(moved.x(), step, 0.005);
    EXPECT_NEAR(moved.z(), 0.0, 1e-4);
  }
}

}  // namespace
}  // namespace aplomb
