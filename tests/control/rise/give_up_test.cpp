#include "aplomb/control/rise/give_up.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace aplomb {
namespace {

constexpr double kMostError = 0.06;  // [m]

/// A rise half a second after seat-off, a second before its end, with the capture point above the soles, as planned.
GiveUp::Tick rising() {
  GiveUp::Tick tick;
  tick.is_rising = true;
  tick.since_seat_s = 0.5;
  tick.to_standing_s = 1.0;
  tick.capture_margin = 0.05;
  return tick;
}

/// What is decided when `change` holds for `ticks` ticks, and not before or after.
GiveUp after(int ticks, const std::function<void(GiveUp::Tick&)>& change) {
  GiveUp give_up(kMostError);
  for (int i = 0; i < 200; ++i) {
    GiveUp::Tick tick = rising();
    tick.time_s = 1e-3 * i;
    if (i >= 100 && i < 100 + ticks) change(tick);
    give_up.update(tick);
  }
  return give_up;
}

TEST(GiveUp, ARiseThatNothingDisturbsGoesOn) {
  EXPECT_FALSE(after(100, [](GiveUp::Tick&) {}).has_given_up());
}

TEST(GiveUp, WhatAsksForItIsNamedAndDated) {
  const auto reason = [](const std::function<void(GiveUp::Tick&)>& change) {
    const GiveUp give_up = after(50, change);
    EXPECT_NEAR(give_up.time_s(), 0.119, 1e-9);
    return std::string(give_up.reason());
  };
  EXPECT_EQ(reason([](GiveUp::Tick& tick) { tick.is_foot_unmeasured = true; }), "force on a foot was not measured");
  EXPECT_EQ(reason([](GiveUp::Tick& tick) { tick.is_foot_lost = true; }), "a foot lost its contact");
  EXPECT_EQ(reason([](GiveUp::Tick& tick) { tick.capture_error = 1.1 * kMostError; }),
            "capture point away from the planned one");
  EXPECT_EQ(reason([](GiveUp::Tick& tick) {
              tick.capture_margin = -0.01;
              tick.capture_ahead = -0.15;
            }),
            "capture point behind the soles");
}

TEST(GiveUp, AStateThatWasNotMeasuredIsJudgedWhenItIsBack) {
  const GiveUp give_up = after(50, [](GiveUp::Tick& tick) { tick.is_state_lost = true; });
  EXPECT_EQ(give_up.reason(), "state was not measured");
  EXPECT_NEAR(give_up.time_s(), 0.150, 1e-9);
}

TEST(GiveUp, WhatLastsForAFewTicksIsChatter) {
  EXPECT_FALSE(after(15, [](GiveUp::Tick& tick) { tick.is_foot_lost = true; }).has_given_up());
  EXPECT_FALSE(after(15, [](GiveUp::Tick& tick) { tick.is_state_lost = true; }).has_given_up());
}

TEST(GiveUp, ARiseThatIsNearerToStandingIsFinishedUnlessItFallsBack) {
  const auto late = [](GiveUp::Tick& tick) {
    tick.since_seat_s = 1.0;
    tick.to_standing_s = 0.5;
    tick.is_foot_lost = true;
  };
  EXPECT_FALSE(after(50, late).has_given_up());
  const auto behind = [&](GiveUp::Tick& tick) {
    late(tick);
    tick.capture_margin = -0.01;
    tick.capture_ahead = -0.15;
  };
  EXPECT_TRUE(after(50, behind).has_given_up());
}

TEST(GiveUp, ACapturePointAheadOfTheSolesLeavesNoWayBack) {
  const auto ahead = [](GiveUp::Tick& tick) {
    tick.capture_margin = -0.01;
    tick.capture_ahead = 0.2;
    tick.capture_error = 0.2;
  };
  EXPECT_FALSE(after(50, ahead).has_given_up());
  // On the seat the hips hold the body back.
  EXPECT_TRUE(after(50, [&](GiveUp::Tick& tick) {
                ahead(tick);
                tick.is_seat_borne = true;
                tick.since_seat_s = -0.1;
              }).has_given_up());
}

TEST(GiveUp, OnlyASitDownWithoutASeatIsGivenUp) {
  const GiveUp lost = after(50, [](GiveUp::Tick& tick) {
    tick.is_rising = false;
    tick.is_foot_lost = true;
  });
  EXPECT_FALSE(lost.has_given_up());
  const GiveUp without = after(50, [](GiveUp::Tick& tick) {
    tick.is_rising = false;
    tick.is_seat_out_of_reach = true;
  });
  EXPECT_EQ(without.reason(), "no seat within reach");
}

TEST(GiveUp, AFootWithoutASensorAsksForNothing) {
  GiveUp give_up(kMostError);
  GiveUp::Tick tick = rising();
  tick.is_foot_unmeasured = true;
  for (int i = 0; i < 100; ++i) give_up.update(tick);
  EXPECT_FALSE(give_up.has_given_up());
}

}  // namespace
}  // namespace aplomb
