// Two engines, one robot: what Pinocchio says of it and what MuJoCo says of it must be the same.
#include <gtest/gtest.h>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/mujoco/engine_terms.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

class EveryRobotInTwoEngines : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobotInTwoEngines, HasTheSameMassMatrixBiasAndComInBothEngines) {
  const RobotModel robot = RobotModel::load(GetParam());
  EngineTerms engine(robot);
  RobotTerms terms(robot, {});
  EXPECT_NEAR(engine.mass(), robot.mass(), 1e-9 * robot.mass());
  for (unsigned seed = 0; seed < 100; ++seed) {
    const RobotState state = test::random_state(robot, seed);
    terms.update(state);
    engine.update(state);
    EXPECT_LT((engine.mass_matrix() - terms.mass_matrix()).norm(), 1e-9 * terms.mass_matrix().norm());
    EXPECT_LT((engine.bias() - terms.bias()).norm(), 1e-9 * terms.bias().norm());
    EXPECT_LT((engine.com() - terms.com()).norm(), 1e-9 * std::max(1.0, terms.com().norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Agreement, EveryRobotInTwoEngines, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
