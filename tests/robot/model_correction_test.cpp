#include "aplomb/robot/model_correction.hpp"

#include <gtest/gtest.h>

#include "aplomb/robot/robot_terms.hpp"
#include "support/allocation_count.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

TEST(ModelCorrection, GivesTheTermsOfARobotWithThatInertia) {
  const RobotModel robot = RobotModel::load("balancer");
  const int body = robot.tree().links[static_cast<std::size_t>(robot.frame("right_forearm"))].body;
  const Inertia& own = robot.tree().bodies[static_cast<std::size_t>(body)].inertia;
  const Inertia laden = joined(own, {.mass = 3.0, .com = Eigen::Vector3d(0.02, -0.01, -0.2)});
  Urdf urdf = robot.urdf();
  for (UrdfLink& link : urdf.links) {
    if (link.name == "right_forearm") link.inertia = laden;
  }
  const RobotModel built(urdf, robot.description());
  RobotTerms corrected(robot, {}), expected(built, {});
  corrected.correct({.body = body, .inertia = laden});
  for (unsigned seed = 0; seed < 10; ++seed) {
    const RobotState state = test::random_state(robot, seed);
    corrected.update(state);
    expected.update(state);
    EXPECT_NEAR(corrected.mass(), expected.mass(), 1e-12);
    EXPECT_LT((corrected.com() - expected.com()).norm(), 1e-12);
    EXPECT_LT((corrected.mass_matrix() - expected.mass_matrix()).norm(), 1e-10);
    EXPECT_LT((corrected.bias() - expected.bias()).norm(), 1e-9);
    EXPECT_LT((corrected.momentum_bias() - expected.momentum_bias()).norm(), 1e-9);
  }
  EXPECT_EQ(robot.mass() + 3.0, built.mass()) << "the model keeps its own";
}

TEST(ModelCorrection, AllocatesTheFirstTimeOnly) {
  SKIP_UNLESS_COUNTED();
  const RobotModel robot = RobotModel::load("balancer");
  const RobotState state = robot.posture("half_sitting");
  RobotTerms terms(robot, {});
  ModelCorrection correction{.body = 3, .inertia = robot.tree().bodies[3].inertia};
  terms.correct(correction);
  const test::AllocationCount allocations;
  for (int i = 0; i < 10; ++i) {
    correction.inertia.mass += 0.1;
    terms.correct(correction);
    terms.update(state);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
