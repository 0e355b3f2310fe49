#include "aplomb/control/step/step_planner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "aplomb/control/step/swing_foot.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

/// A pendulum of 0.4 to 1.2 m whose capture point is up to 0.5 heights from the stance foot's centre, with the bounds
/// of a left foot that steps.
StepPlanner::Request random_request(std::mt19937& random) {
  const auto draw = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  StepPlanner::Request request;
  request.length = draw(0.4, 1.2);
  request.omega = std::sqrt(9.81 / request.length);
  request.capture_point = request.length * Eigen::Vector2d(draw(-0.5, 0.5), draw(-0.1, 0.3));
  request.least_s = draw(0.3, 0.9) / request.omega;
  request.most_s = request.least_s + draw(0.0, 1.0) / request.omega;
  request.preferred_s = 0.5 * (request.least_s + request.most_s);
  request.foot_lower = request.length * Eigen::Vector2d(-0.6, 0.15);
  request.foot_upper = request.length * Eigen::Vector2d(0.6, 0.6);
  request.foot_preferred = request.length * Eigen::Vector2d(0.0, 0.25);
  request.cop_upper = request.length * Eigen::Vector2d(0.12, 0.06);
  request.cop_lower = -request.cop_upper;
  return request;
}

/// The best of a grid over landing time and CoP; the place of the foot is then a bounded parabola on each axis.
StepPlanner::Plan best_of_grid(const StepPlanner::Request& request) {
  constexpr int kTimes = 60, kCops = 40;
  StepPlanner::Plan best;
  best.cost = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kTimes; ++i) {
    StepPlanner::Plan plan;
    const double least = std::exp(request.omega * request.least_s), most = std::exp(request.omega * request.most_s);
    const double growth = least + (most - least) * i / kTimes;
    plan.time_s = std::log(growth) / request.omega;
    // The axes are independent for a given time.
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
      double lowest = std::numeric_limits<double>::infinity();
      for (int k = 0; k <= kCops; ++k) {
        const double cop = request.cop_lower[axis] + (request.cop_upper[axis] - request.cop_lower[axis]) * k / kCops;
        const double end = cop + (request.capture_point[axis] - cop) * growth;
        const double a = std::pow(StepPlanner::kFootWeight, 2), b = std::pow(StepPlanner::kOffsetWeight, 2);
        const double foot =
            std::clamp((a * request.foot_preferred[axis] + b * (end - request.offset_preferred[axis])) / (a + b),
                       request.foot_lower[axis], request.foot_upper[axis]);
        const double offset = end - foot;
        const double cost = a * std::pow(foot - request.foot_preferred[axis], 2) +
                            b * std::pow(offset - request.offset_preferred[axis], 2) +
                            std::pow(StepPlanner::kCopWeight * cop, 2);
        if (cost >= lowest) continue;
        lowest = cost;
        plan.foot[axis] = foot;
        plan.cop[axis] = cop;
        plan.offset[axis] = offset;
      }
    }
    plan.cost = step_cost(request, plan);
    if (plan.cost < best.cost) best = plan;
  }
  return best;
}

TEST(StepPlanner, FindsTheBestOfAGrid) {
  std::mt19937 random(7);
  StepPlanner planner;
  for (int i = 0; i < 40; ++i) {
    const StepPlanner::Request request = random_request(random);
    planner.restart();
    ASSERT_TRUE(planner.solve(request, 12));
    const StepPlanner::Plan best = best_of_grid(request);
    // The grid misses the optimum by half a cell at most; a local minimum or a wrong equation costs far more.
    EXPECT_LT(planner.plan().cost, 1.01 * best.cost + 1e-4) << "request " << i << ", grid " << best.time_s << " s";
  }
}

TEST(StepPlanner, LandsWhereThePendulumIs) {
  std::mt19937 random(8);
  StepPlanner planner;
  for (int i = 0; i < 40; ++i) {
    const StepPlanner::Request request = random_request(random);
    planner.restart();
    ASSERT_TRUE(planner.solve(request, 12));
    const StepPlanner::Plan& plan = planner.plan();
    // Integrates ξ̇ = ω (ξ − p) over the step.
    Eigen::Vector2d capture_point = request.capture_point;
    constexpr int kSteps = 20000;
    for (int k = 0; k < kSteps; ++k) {
      const double dt = plan.time_s / kSteps;
      const Eigen::Vector2d middle = capture_point + 0.5 * dt * request.omega * (capture_point - plan.cop);
      capture_point += dt * request.omega * (middle - plan.cop);
    }
    EXPECT_LT((capture_point - plan.foot - plan.offset).norm(), 1e-6);
    EXPECT_GE(plan.time_s, request.least_s - 1e-9);
    EXPECT_LE(plan.time_s, request.most_s + 1e-9);
    EXPECT_TRUE((plan.foot.array() >= request.foot_lower.array() - 1e-9).all());
    EXPECT_TRUE((plan.foot.array() <= request.foot_upper.array() + 1e-9).all());
    EXPECT_TRUE((plan.cop.array().abs() <= request.cop_upper.array() + 1e-9).all());
  }
}

TEST(StepPlanner, SolvedInEveryTickItKeepsItsPlanWhileNothingDisturbs) {
  StepPlanner planner;
  std::mt19937 random(9);
  StepPlanner::Request request = random_request(random);
  request.capture_point = request.length * Eigen::Vector2d(0.2, 0.05);
  planner.restart();
  ASSERT_TRUE(planner.solve(request, 12));
  const StepPlanner::Plan first = planner.plan();
  const double dt = 1e-3;
  const double ticks = std::floor(0.8 * first.time_s / dt);
  for (int i = 0; i < static_cast<int>(ticks); ++i) {
    request.capture_point =
        planner.plan().cop + (request.capture_point - planner.plan().cop) * std::exp(request.omega * dt);
    request.least_s = std::max(request.least_s - dt, 0.0);
    request.most_s -= dt;
    request.preferred_s -= dt;
    ASSERT_TRUE(planner.solve(request));
  }
  // Its costs shift a little between place, time and CoP as the time left shrinks.
  EXPECT_LT((planner.plan().foot - first.foot).norm(), 0.03 * request.length);
}

TEST(StepPlanner, DoesNotAllocateAndStaysFinite) {
  SKIP_UNLESS_COUNTED();
  std::mt19937 random(10);
  StepPlanner planner;
  StepPlanner::Request request = random_request(random);
  planner.solve(request);
  const test::AllocationCount allocations;
  for (int i = 0; i < 50; ++i) {
    request = random_request(random);
    if (i % 5 == 0) request.capture_point *= 1e3;
    planner.solve(request);
    EXPECT_TRUE(planner.plan().foot.allFinite());
    EXPECT_TRUE(std::isfinite(planner.plan().time_s));
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST(SwingFoot, LandsOnATargetThatMovesWithoutAJump) {
  SwingFoot foot({.clearance = 0.05, .touch_velocity = 0.1});
  foot.begin({0.1, 0.2, 0.0}, Eigen::Vector3d::Zero());
  constexpr double kDt = 1e-3, kSwing = 0.35;
  Eigen::Vector3d last = foot.position(), target(0.5, 0.25, 0.0);
  double highest = 0.0;
  for (int i = 1; i <= 350; ++i) {
    if (i < 200) target.x() += 2e-4;  // 4 cm in all
    foot.update(target, kSwing - kDt * i, kDt);
    EXPECT_LT((foot.position() - last - kDt * foot.velocity()).norm(), 1e-3);
    last = foot.position();
    highest = std::max(highest, last.z());
  }
  EXPECT_NEAR(highest, 0.05, 0.003);
  EXPECT_LT((last - target).norm(), 0.004);
  EXPECT_NEAR(foot.velocity().z(), -0.1, 1e-9);
  EXPECT_LT(foot.velocity().head<2>().norm(), 0.02);
}

TEST(SwingFoot, PolynomialMeetsBothEnds) {
  const AxisMotion now{.position = 0.3, .velocity = -1.0, .acceleration = 4.0};
  const AxisMotion end{.position = -0.2, .velocity = 0.5, .acceleration = -2.0};
  const AxisMotion at = towards(now, end, 0.4, 0.4);
  EXPECT_NEAR(at.position, end.position, 1e-12);
  EXPECT_NEAR(at.velocity, end.velocity, 1e-11);
  EXPECT_NEAR(at.acceleration, end.acceleration, 1e-9);
}

}  // namespace
}  // namespace aplomb
