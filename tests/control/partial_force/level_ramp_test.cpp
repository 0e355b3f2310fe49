#include "aplomb/control/partial_force/level_ramp.hpp"

#include <gtest/gtest.h>

#include "control/force_problems.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

using test::RandomForceProblem;

constexpr std::size_t kCom = 0;
const LevelOrder kListed = {0, 1}, kExchanged = {1, 0};

ForceSolution under(RandomForceProblem& random, const LevelOrder& order) {
  ForceHierarchy hierarchy(random.robot, random.problem, order, kCom, /*has_limits=*/false);
  ForceSolution solution(random.problem, random.robot.nv());
  EXPECT_TRUE(hierarchy.solve(random.state, random.terms, random.problem, solution));
  return solution;
}

LevelRamp ramp_of(RandomForceProblem& random, const LevelRamp::Settings& settings) {
  return {random.robot, random.problem, {{.start_s = 0.0105, .order = kExchanged}}, kCom, false, settings};
}

class LevelRamps : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Random, LevelRamps, testing::Range(0u, 10u));

TEST_P(LevelRamps, LeadFromOneStrictOrderToTheOtherWithABoundedChangeInATick) {
  RandomForceProblem random(GetParam());
  const Eigen::VectorXd before = under(random, kListed).torque, after = under(random, kExchanged).torque;
  ASSERT_GT((after - before).cwiseAbs().maxCoeff(), 0.1);  // the order matters
  const LevelRamp::Settings settings{.ramp_s = 0.02, .torque_rate = 0.2};
  const double most = settings.torque_rate * 1e-3 * random.robot.mass() * kGravity;
  LevelRamp ramp = ramp_of(random, settings);
  ForceSolution solution(random.problem, random.robot.nv());
  Eigen::VectorXd last = before;
  for (int tick = 0; tick < 5000 && (tick < 12 || ramp.is_changing()); ++tick) {
    ASSERT_TRUE(ramp.solve(1e-3 * tick, random.state, random.terms, random.problem, solution));
    if (tick <= 10) {
      EXPECT_EQ(solution.torque, before);
    }
    EXPECT_LT((solution.torque - last).cwiseAbs().maxCoeff(), most * (1.0 + 1e-9));
    EXPECT_LT(random.physics_error(solution), 1e-9);
    last = solution.torque;
  }
  ASSERT_TRUE(ramp.solve(6.0, random.state, random.terms, random.problem, solution));
  EXPECT_EQ(solution.torque, after);
}

TEST_P(LevelRamps, OfNoLengthExchangeTheOrderAtOnce) {
  RandomForceProblem random(GetParam());
  LevelRamp ramp = ramp_of(random, {.ramp_s = 0.0});
  ForceSolution solution(random.problem, random.robot.nv());
  ASSERT_TRUE(ramp.solve(0.010, random.state, random.terms, random.problem, solution));
  EXPECT_EQ(solution.torque, under(random, kListed).torque);
  ASSERT_TRUE(ramp.solve(0.011, random.state, random.terms, random.problem, solution));
  EXPECT_EQ(solution.torque, under(random, kExchanged).torque);
}

TEST(LevelRamp, DoesNotAllocateWhileTheOrderChanges) {
  SKIP_UNLESS_COUNTED();
  RandomForceProblem random(1);
  LevelRamp ramp = ramp_of(random, {});
  ForceSolution solution(random.problem, random.robot.nv());
  const test::AllocationCount allocations;
  for (int tick = 0; tick < 50; ++tick) ramp.solve(1e-3 * tick, random.state, random.terms, random.problem, solution);
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
