#include "aplomb/run/metrics/rise_loads.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "aplomb/run/metrics/rise_checks.hpp"
#include "run/metrics/small_plan.hpp"

namespace aplomb {
namespace {

constexpr double kStart = 1.0;  // [s] of the plan, in the run's time

const RobotModel& robot() {
  static const RobotModel coman = RobotModel::load("coman");
  return coman;
}

/// Metrics of three seconds of standing still in which `damage` changes ticks.
Metrics loads(const std::function<void(double time_s, test::StandingTick&)>& damage,
              const std::shared_ptr<MotionPlan>& plan = test::still_plan(robot())) {
  RiseLoads loads(robot(), PlanPlayer(plan, 1.0, kStart));
  for (int tick = 1; tick <= 3000; ++tick) {
    test::StandingTick standing(robot());
    standing.now.time_s = 1e-3 * tick;
    damage(standing.now.time_s, standing);
    loads.add(standing.now, standing.state, standing.torque);
  }
  Metrics metrics;
  loads.finish(metrics);
  return metrics;
}

double weight() { return test::StandingTick(robot()).weight; }

bool is_between(double time_s, double from, double until) { return time_s > from - 1e-6 && time_s < until - 1e-6; }

/// Whether the default check on `metric` holds.
bool holds(const Metrics& metrics, std::string_view metric) {
  for (const Check& check : rise_checks(robot())) {
    if (check.metric == metric) return judge(check, metrics).ok;
  }
  ADD_FAILURE() << "no default check on " << metric;
  return false;
}

TEST(RiseLoads, ARobotThatStandsStillPassesEveryDefaultCheck) {
  const Metrics metrics = loads([](double, auto&) {});
  EXPECT_EQ(*metrics.number("joint_speed_ratio_max"), 0.0);
  EXPECT_EQ(*metrics.number("torque_saturated_s"), 0.0);
  EXPECT_NEAR(*metrics.number("foot_force_peak_per_weight"), 1.0, 1e-9);
  EXPECT_NEAR(*metrics.number("foot_force_jump_max_n"), 0.0, 1e-9);
  for (const Check& check : rise_checks(robot())) {
    EXPECT_TRUE(judge(check, metrics).ok) << check.metric;
    EXPECT_FALSE(check.reason.empty()) << check.metric;
  }
}

TEST(RiseLoads, AJointIsJudgedAgainstItsOwnSpeedLimit) {
  const Joint& joint = robot().joints()[3];
  const auto at = [&](double ratio) {
    return loads([&](double time_s, test::StandingTick& tick) {
      if (is_between(time_s, 1.5, 1.501)) tick.state.v[6 + 3] = -ratio * joint.velocity;
    });
  };
  EXPECT_NEAR(*at(0.9).number("joint_speed_ratio_max"), 0.9, 1e-12);
  EXPECT_TRUE(holds(at(0.99), "joint_speed_ratio_max"));
  EXPECT_FALSE(holds(at(1.01), "joint_speed_ratio_max"));
}

TEST(RiseLoads, TimeAtATorqueLimitIsCountedOnceForAllJoints) {
  const auto for_ticks = [&](double ticks) {
    return loads([&](double time_s, test::StandingTick& tick) {
      if (!is_between(time_s, 2.0, 2.0 + 1e-3 * ticks)) return;
      tick.torque[1] = robot().joints()[1].effort;
      tick.torque[2] = -robot().joints()[2].effort;
    });
  };
  EXPECT_NEAR(*for_ticks(15).number("torque_saturated_s"), 0.015, 1e-12);
  EXPECT_TRUE(holds(for_ticks(15), "torque_saturated_s"));
  EXPECT_FALSE(holds(for_ticks(25), "torque_saturated_s"));
}

TEST(RiseLoads, ThePeakIsThatOfBothFeetOverTheWeight) {
  const auto pushed = [&](double per_weight) {
    return loads([&](double time_s, test::StandingTick& tick) {
      // A slow half sine: the low-pass leaves it as it is.
      const double up = is_between(time_s, 1.5, 2.5) ? std::sin(M_PI * (time_s - 1.5)) : 0.0;
      const double feet = (1.0 + (per_weight - 1.0) * up) * tick.weight;
      tick.set_feet(0.75 * feet, 0.25 * feet);
    });
  };
  EXPECT_NEAR(*pushed(1.4).number("foot_force_peak_per_weight"), 1.4, 1e-3);
  EXPECT_TRUE(holds(pushed(1.45), "foot_force_peak_per_weight"));
  EXPECT_FALSE(holds(pushed(1.55), "foot_force_peak_per_weight"));
}

/// The left foot's load grows from a quarter to three quarters of the weight within `duration_s`.
Metrics shifted_within(double duration_s) {
  return loads([&](double time_s, test::StandingTick& tick) {
    const double part = std::clamp((time_s - 2.0) / duration_s, 0.0, 1.0);
    tick.set_feet((0.25 + 0.5 * part) * tick.weight, (0.75 - 0.5 * part) * tick.weight);
  });
}

TEST(RiseLoads, AFootsLoadThatMovesWithinFewMillisecondsIsAJump) {
  // A slow ramp passes the low-pass: half the weight in 100 ms is 0.5 % of it a millisecond.
  EXPECT_NEAR(*shifted_within(0.1).number("foot_force_jump_max_n"), 0.005 * weight(), 0.0003 * weight());
  EXPECT_TRUE(holds(shifted_within(0.1), "foot_force_jump_max_n"));
  EXPECT_FALSE(holds(shifted_within(0.002), "foot_force_jump_max_n"));
}

TEST(RiseLoads, ASingleTickWithoutContactIsChatterAndNoJump) {
  const Metrics metrics = loads([](double time_s, test::StandingTick& tick) {
    if (is_between(time_s, 2.0, 2.001)) tick.set_feet(0.0, 0.5 * tick.weight);
  });
  EXPECT_TRUE(holds(metrics, "foot_force_jump_max_n"));
  EXPECT_GT(*metrics.number("foot_force_jump_max_n"), 0.0);
}

TEST(RiseLoads, TheTouchOfAFootAfterATimeInTheAirIsNoJumpAndOneAfterChatterIs) {
  const auto in_air = [&](double duration_s) {
    return loads([&](double time_s, test::StandingTick& tick) {
      // The foot is unloaded slowly, then in the air, then loaded at once.
      const double load = 0.5 * std::clamp((2.0 - time_s) / 0.5, 0.0, 1.0);
      const bool is_back = time_s > 2.0 + duration_s;
      tick.set_feet((is_back ? 0.5 : load) * tick.weight, (is_back ? 0.5 : 1.0 - load) * tick.weight);
    });
  };
  // The other foot gives its load up at once too, and has no touch of its own.
  EXPECT_FALSE(holds(in_air(0.1), "foot_force_jump_max_n"));
  const auto left_only = [&](double duration_s) {
    return loads([&](double time_s, test::StandingTick& tick) {
      const double load = 0.5 * std::clamp((2.0 - time_s) / 0.5, 0.0, 1.0);
      tick.set_feet((time_s > 2.0 + duration_s ? 0.5 : load) * tick.weight, 0.5 * tick.weight);
    });
  };
  EXPECT_TRUE(holds(left_only(0.1), "foot_force_jump_max_n"));
  EXPECT_FALSE(holds(left_only(0.010), "foot_force_jump_max_n"));
}

TEST(RiseLoads, JumpsAroundAPlannedTouchAreLeftOut) {
  const auto plan = test::still_plan(robot());
  plan->contacts.contacts.push_back({.site = ContactSite::left_hand, .start_s = 0.8, .end_s = 1.0});
  const auto jump_at = [&](double when_s) {
    return loads(
        [&](double time_s, test::StandingTick& tick) {
          tick.set_feet((time_s < when_s ? 0.25 : 0.75) * tick.weight, 0.5 * tick.weight);
        },
        plan);
  };
  EXPECT_TRUE(holds(jump_at(kStart + 0.8), "foot_force_jump_max_n"));
  EXPECT_FALSE(holds(jump_at(kStart + 0.9), "foot_force_jump_max_n"));
}

TEST(RiseLoads, ATorqueJumpIsJudgedAgainstTheJointsOwnLimit) {
  const auto jump = [&](double ratio) {
    return loads([&](double time_s, test::StandingTick& tick) {
      if (time_s > 2.0) tick.now.commanded_torque[5] = ratio * robot().joints()[5].effort;
    });
  };
  EXPECT_NEAR(*jump(0.08).number("torque_jump_ratio_max"), 0.08, 1e-12);
  EXPECT_TRUE(holds(jump(0.09), "torque_jump_ratio_max"));
  EXPECT_FALSE(holds(jump(0.11), "torque_jump_ratio_max"));
}

TEST(RiseLoads, ASingleTickOfTorqueIsAJumpAndASlowOneIsNotHidden) {
  const double limit = robot().joints()[5].effort;
  const Metrics tick = loads([&](double time_s, test::StandingTick& standing) {
    if (is_between(time_s, 2.0, 2.001)) standing.now.commanded_torque[5] = 0.08 * limit;
  });
  EXPECT_NEAR(*tick.number("torque_jump_ratio_max"), 0.08, 1e-12);
  EXPECT_LT(*tick.number("torque_jump_slow_ratio_max"), 0.03);  // 1 - exp(-2 pi 50 Hz 1 ms) = 0.27 of it
  EXPECT_NEAR(*tick.number("torque_jump_ratio_rms"), std::sqrt(2.0 / 2001.0) * 0.08, 1e-9);  // there and back
  const Metrics ramp = loads([&](double time_s, test::StandingTick& standing) {
    standing.now.commanded_torque[5] = std::clamp(time_s - 1.5, 0.0, 0.5) * limit;  // 0.001 a tick
  });
  EXPECT_NEAR(*ramp.number("torque_jump_slow_ratio_max"), 1e-3, 1e-9);
}

TEST(RiseLoads, TheRawForceJumpHasNoLowPass) {
  const Metrics metrics = loads([](double time_s, test::StandingTick& tick) {
    if (is_between(time_s, 2.0, 2.001)) tick.set_feet(0.0, 0.5 * tick.weight);
  });
  EXPECT_NEAR(*metrics.number("foot_force_jump_raw_max_n"), 0.5 * weight(), 1e-9);
}

TEST(RiseLoads, OnlyTheTimeFromThePlansStartOnIsJudged) {
  const Metrics metrics = loads([](double time_s, test::StandingTick& tick) {
    if (time_s > kStart - 0.1) return;
    tick.state.v.tail(robot().num_joints()).setConstant(100.0);
    tick.torque.setConstant(1e6);
    tick.set_feet(3.0 * tick.weight, 0.0);
  });
  for (const Check& check : rise_checks(robot())) EXPECT_TRUE(judge(check, metrics).ok) << check.metric;
}

TEST(RiseLoads, ARunThatEndsBeforeThePlansStartFailsEveryDefaultCheck) {
  Metrics metrics;
  RiseLoads(robot(), PlanPlayer(test::still_plan(robot()), 1.0, kStart)).finish(metrics);
  for (const Check& check : rise_checks(robot())) EXPECT_FALSE(judge(check, metrics).ok) << check.metric;
}

}  // namespace
}  // namespace aplomb
