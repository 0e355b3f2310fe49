#include <gtest/gtest.h>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "robots/our_robots.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

TEST(AllocationCount, SeesAllocationsOfEigenAndOfNew) {
  SKIP_UNLESS_COUNTED();
  const test::AllocationCount allocations;
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(100);  // calls malloc itself
  EXPECT_EQ(allocations.since_start(), 1);
  ::operator delete(::operator new(100));
  EXPECT_EQ(allocations.since_start(), 2);
  numbers = 2.0 * numbers;
  EXPECT_EQ(allocations.since_start(), 2);
}

class RobotWithoutAllocation : public testing::TestWithParam<std::string> {};

TEST_P(RobotWithoutAllocation, UpdatesItsTerms) {
  SKIP_UNLESS_COUNTED();
  const RobotModel robot = RobotModel::load(GetParam());
  std::vector<FrameId> frames;
  for (std::size_t i = 0; i < robot.tree().links.size(); ++i) frames.push_back(static_cast<FrameId>(i));
  RobotTerms terms(robot, frames);
  std::vector<RobotState> states;
  for (unsigned seed = 0; seed < 20; ++seed) states.push_back(test::random_state(robot, seed));
  const test::AllocationCount allocations;
  for (const RobotState& state : states) terms.update(state);  // from the very first call on
  EXPECT_EQ(allocations.since_start(), 0);
}

TEST_P(RobotWithoutAllocation, ComputesItsStaticTorque) {
  SKIP_UNLESS_COUNTED();
  const RobotModel robot = RobotModel::load(GetParam());
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(robot.posture("half_sitting"));
  StaticTorque statics(robot);
  const test::AllocationCount allocations;
  for (int i = 0; i <= 10; ++i) statics.compute(terms, {0.1 * i, 1.0 - 0.1 * i});
  EXPECT_EQ(allocations.since_start(), 0);
}

INSTANTIATE_TEST_SUITE_P(Robots, RobotWithoutAllocation, testing::ValuesIn(test::kOurRobots),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
