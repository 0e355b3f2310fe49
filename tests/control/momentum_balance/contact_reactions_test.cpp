#include "aplomb/control/momentum_balance/contact_reactions.hpp"

#include <gtest/gtest.h>

#include <random>

#include "control/forward_dynamics.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

/// A robot in random motion about a posture, with a wall for its hands.
struct Moving {
  Moving(const std::string& name, unsigned seed)
      : robot(test::our_robot(name)),
        contacts(robot, {.planes = {{.position = {0.5, 0.0, 0.0}, .normal = -Eigen::Vector3d::UnitX()}}}),
        terms(robot, contacts.frames()) {
    readings.state = robot.posture("half_sitting");
    readings.state.v = test::random_state(robot, seed).v;
    terms.update(readings.state);
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    torque = Eigen::VectorXd::NullaryExpr(robot.num_joints(), [&] { return 20.0 * normal(engine); });
  }
  /// Loads the contacts of `mask`, by bit, in the order of the sites.
  void stand_on(unsigned mask) {
    SensorReadings loaded = readings;
    for (std::size_t i = 0; i < contacts.sites().size(); ++i) {
      const BalanceContacts::Site& site = contacts.sites()[i];
      const double force = (mask >> i & 1U) != 0U ? robot.mass() * kGravity : 0.0;
      if (!site.is_point) {
        loaded.foot_wrench[site.side].force = {0.0, 0.0, force};
        continue;
      }
      const Eigen::Matrix3d R = terms.frame(site.frame).T_world_frame.linear();
      loaded.hand_wrench[site.side].force = R.transpose() * Eigen::Vector3d(-force, 0.0, 0.0);
      loaded.hand_wrench[site.side].moment = Eigen::Vector3d(0.3, -0.5, 0.2) * 0.05 * force;
    }
    contacts.update(terms, loaded, std::vector<ContactLoad>(contacts.sites().size()), fallbacks);
  }
  RobotModel robot;
  BalanceContacts contacts;
  RobotTerms terms;
  SensorReadings readings;
  Fallbacks fallbacks;
  Eigen::VectorXd torque;
};

class ContactReactionsOf : public testing::TestWithParam<std::string> {};

TEST_P(ContactReactionsOf, AgreeWithADenseSolveOfTheEquationOfMotion) {
  for (unsigned seed : {1U, 2U, 3U}) {
    const std::size_t num_sites = Moving(GetParam(), seed).contacts.sites().size();
    for (unsigned mask = 0; mask < 1U << num_sites; ++mask) {
      Moving moving(GetParam(), seed);
      moving.stand_on(mask);
      ContactReactions reactions(moving.robot, moving.contacts.sites());
      const MomentumRate rate = reactions.rate(moving.terms, moving.contacts.contacts(), moving.torque);
      const MomentumRate expected = test::rate_with_held_contacts(moving.terms, moving.contacts.sites(),
                                                                  moving.contacts.contacts(), moving.torque);
      // Relative to the weight: the regularisation of dependent rows is 1e-12, and J M⁻¹ Jᵀ has a condition of 1e6.
      const double weight = moving.robot.mass() * kGravity;
      EXPECT_LT((rate.linear - expected.linear).norm(), 1e-6 * weight) << "contacts " << mask;
      EXPECT_LT((rate.angular - expected.angular).norm(), 1e-6 * weight) << "contacts " << mask;
    }
  }
}

TEST_P(ContactReactionsOf, OfNoContactAreTheWeight) {
  Moving moving(GetParam(), 4);
  moving.stand_on(0);
  ContactReactions reactions(moving.robot, moving.contacts.sites());
  const MomentumRate rate = reactions.rate(moving.terms, moving.contacts.contacts(), moving.torque);
  const double weight = moving.robot.mass() * kGravity;
  // Torques are internal: without a contact they change neither rate, whatever they are.
  EXPECT_LT((rate.linear - Eigen::Vector3d(0.0, 0.0, -weight)).norm(), 1e-9 * weight);
  EXPECT_LT(rate.angular.norm(), 1e-9 * weight);
}

TEST_P(ContactReactionsOf, DoNotAllocate) {
  SKIP_UNLESS_COUNTED();
  Moving moving(GetParam(), 5);
  moving.stand_on(3);
  ContactReactions reactions(moving.robot, moving.contacts.sites());
  const test::AllocationCount allocations;
  reactions.rate(moving.terms, moving.contacts.contacts(), moving.torque);
  EXPECT_EQ(allocations.since_start(), 0);
}

INSTANTIATE_TEST_SUITE_P(Robot, ContactReactionsOf, testing::Values("balancer", "coman", "sarcos", "sarcos_heavy"),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
