// Two engines, one robot: what Pinocchio says of it and what MuJoCo says of it must be the same.
#include <gtest/gtest.h>

#include "aplomb/core/data_dir.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

class EveryRobotInTwoEngines : public testing::TestWithParam<std::string> {};

TEST_P(EveryRobotInTwoEngines, HasTheSameMassMatrixBiasAndComInBothEngines) {
  const RobotModel robot = RobotModel::load(GetParam());
  Simulation simulation(robot, World{});
  RobotTerms terms(robot, {});
  EXPECT_NEAR(simulation.total_mass(), robot.mass(), 1e-9 * robot.mass());
  for (unsigned seed = 0; seed < 100; ++seed) {
    const RobotState state = test::random_state(robot, seed);
    terms.update(state);
    const Eigen::MatrixXd M = simulation.mass_matrix_at(state);
    const Eigen::VectorXd h = simulation.bias_at(state);
    EXPECT_LT((M - terms.mass_matrix()).norm(), 1e-9 * M.norm());
    EXPECT_LT((h - terms.bias()).norm(), 1e-9 * h.norm());
    EXPECT_LT((simulation.com_at(state) - terms.com()).norm(), 1e-9 * std::max(1.0, terms.com().norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Agreement, EveryRobotInTwoEngines, testing::ValuesIn(robot_names()),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
