#include "aplomb/control/rise/rise_contacts.hpp"

#include <gtest/gtest.h>

#include "aplomb/control/rise/plan_follower.hpp"
#include "control/rise/sitting_plan.hpp"

namespace aplomb {
namespace {

struct Sitting {
  explicit Sitting(double from, double to)
      : follower(test::sitting_robot(), {.plan = test::sitting_plan(from, to)}, 3.5),
        contacts(test::sitting_robot(), {}, follower.plan(), follower.sample()),
        terms(test::sitting_robot(), contacts.frames()),
        loads(contacts.sites().size()) {}

  /// One tick in which the seat bears `on_seat_n` and the controller has commanded what was planned.
  void tick(double time_s, double on_seat_n) {
    const SensorReadings readings = test::sitting_readings(time_s, on_seat_n);
    terms.update(readings.state);
    follower.update(readings);
    contacts.update(terms, readings, follower.sample(), loads, fallbacks);
    loads.assign(contacts.planned().begin(), contacts.planned().end());
  }
  const Contact& pad() const { return contacts.contacts()[2]; }  // after the two feet

  PlanFollower follower;
  RiseContacts contacts;
  RobotTerms terms;
  std::vector<ContactLoad> loads;
  Fallbacks fallbacks;
};

TEST(RiseContacts, TheSeatIsReleasedOverTheTimeInWhichItsLoadFalls) {
  Sitting sitting(0.5, 0.0);
  double compliance = 0.0, load = 1e9, total = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    sitting.tick(1e-3 * i, std::max(0.0, 0.5 - 0.5e-3 * i) * test::sitting_weight());
    ASSERT_EQ(sitting.contacts.sites().size(), 4U);  // two feet, two pads
    total = sitting.contacts.planned()[2].force.z() + sitting.contacts.planned()[3].force.z();
    EXPECT_GE(sitting.pad().compliance, compliance * (1.0 - 1e-12)) << i;
    EXPECT_LE(total, load + 1e-6) << i;
    if (compliance > 0.0 && total > 0.02 * test::sitting_weight()) {
      EXPECT_LT(sitting.pad().compliance, 1.2 * compliance) << i;  // nothing is released in one tick
    }
    EXPECT_LE(sitting.pad().largest_force, 2.0 * sitting.contacts.planned()[2].force.z() + 1e-9) << i;
    compliance = sitting.pad().compliance;
    load = total;
  }
  EXPECT_NEAR(total, 0.0, 1e-6);
  EXPECT_GT(compliance, 10.0);  // far softer than a joint's posture
}

TEST(RiseContacts, ASeatThatDoesNotBearIsLostAndFoundAgain) {
  Sitting sitting(0.5, 0.5);
  for (int i = 0; i < 300; ++i) sitting.tick(1e-3 * i, 0.5 * test::sitting_weight());
  EXPECT_NEAR(sitting.pad().availability, 1.0, 1e-12);
  for (int i = 300; i < 600; ++i) sitting.tick(1e-3 * i, 0.0);  // the feet carry all
  EXPECT_NEAR(sitting.pad().availability, 0.0, 1e-12);
  EXPECT_NEAR(sitting.contacts.planned()[2].force.norm(), 0.0, 1e-9);
  for (int i = 600; i < 900; ++i) sitting.tick(1e-3 * i, 0.5 * test::sitting_weight());
  EXPECT_NEAR(sitting.pad().availability, 1.0, 1e-12);
}

}  // namespace
}  // namespace aplomb
