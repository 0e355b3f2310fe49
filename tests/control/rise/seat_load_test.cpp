#include "aplomb/control/rise/seat_load.hpp"

#include <gtest/gtest.h>

#include "aplomb/control/controller.hpp"
#include "control/rise/sitting_plan.hpp"

namespace aplomb {
namespace {

TEST(SeatLoad, OfABodyAtRestIsWhatTheFeetDoNotCarry) {
  RobotTerms terms(test::sitting_robot(), {});
  terms.update(test::sitting_readings(0.0, 0.0).state);
  SeatLoad load(0.2 * test::sitting_weight());  // wrong: it carries 0.6
  for (int tick = 0; tick < 200; ++tick) load.update(terms, 0.4 * test::sitting_weight());
  EXPECT_NEAR(load.estimate(), 0.6 * test::sitting_weight(), 1e-3 * test::sitting_weight());
}

TEST(SeatLoad, OfAFallingBodyIsNothing) {
  RobotTerms terms(test::sitting_robot(), {});
  RobotState state = test::sitting_readings(0.0, 0.0).state;
  SeatLoad load(0.0);
  for (int tick = 0; tick < 300; ++tick) {
    state.v[2] = -kGravity * kControlPeriod * tick;  // the base is upright, so that its z axis is the world's
    terms.update(state);
    load.update(terms, 0.0);
    EXPECT_LT(std::abs(load.estimate()), 0.02 * test::sitting_weight()) << tick;
  }
}

}  // namespace
}  // namespace aplomb
