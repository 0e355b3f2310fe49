#include "aplomb/identify/model/regressor.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "robot/random_robot.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

RobotModel random_robot(unsigned seed, int links) {
  RobotDescription description;
  description.name = "random";
  description.inertia = InertiaPolicy::repair;
  Urdf urdf = test::RandomRobot(seed, links).urdf;
  for (UrdfJoint& joint : urdf.joints) {
    joint.lower = -2.0;
    joint.upper = 2.0;
  }
  return RobotModel(urdf, description);
}

/// Relative to the largest entry: the base of a large robot has thousands of newtons.
double regressor_error(const RobotModel& robot, unsigned seed) {
  const RegressorColumns columns{.bodies = all_bodies(robot), .per_body = kDynamicParameters};
  const RobotState state = test::random_state(robot, seed);
  const Eigen::VectorXd a = test::random_state(robot, seed + 1000).v;
  BodyMotions motions(robot);
  motions.update(state, a);
  Eigen::MatrixXd K(robot.nv(), columns.size());
  write_regressor(motions, columns, K);
  RobotTerms terms(robot, {});
  terms.update(state);
  Eigen::VectorXd tau = terms.mass_matrix() * a + terms.bias();
  tau.tail(robot.num_joints()) -= robot.description().actuation.armature * a.tail(robot.num_joints());  // the rotors
  return (K * parameters_of(robot, columns) - tau).cwiseAbs().maxCoeff() / (1.0 + tau.cwiseAbs().maxCoeff());
}

TEST(Regressor, TimesParametersIsInverseDynamicsForEveryRobot) {
  for (const std::string& name : robot_names()) {
    std::optional<RobotModel> robot;
    try {
      robot = RobotModel::load(name);
    } catch (const FileError&) {
      continue;  // a robot of others, whose package is not installed
    }
    for (unsigned seed = 0; seed < 20; ++seed) EXPECT_LT(regressor_error(*robot, seed), 1e-10) << name;
  }
  for (unsigned seed = 0; seed < 20; ++seed) EXPECT_LT(regressor_error(random_robot(seed, 12), seed), 1e-10) << seed;
}

TEST(Regressor, StaticColumnsPredictTheCom) {
  const RobotModel robot = RobotModel::load("sarcos_real");
  const RegressorColumns columns{.bodies = massive_bodies(robot)};
  RobotTerms terms(robot, {});
  BodyMotions motions(robot);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const RobotState state = test::random_state(robot, seed);
    terms.update(state);
    motions.place(state.q);
    const Eigen::VectorXd phi = parameters_of(robot, columns);
    EXPECT_LT((com_rows(motions, columns) * phi / mass_row(columns).dot(phi) - terms.com()).norm(), 1e-12);
  }
}

TEST(StructuralRank, IsWhatTheFormulasSay) {
  for (unsigned seed : {1u, 2u, 5u}) {
    const RobotModel robot = random_robot(seed, 10);
    const int n = robot.num_joints();
    ASSERT_GT(n, 1);
    EXPECT_EQ(structural_rank(robot, {.is_moving = true, .has_torque_rows = true}), 10 + 7 * n);
    EXPECT_EQ(structural_rank(robot, {.is_moving = true}), 10 + 7 * n) << "base rows alone";
    EXPECT_EQ(structural_rank(robot, {}), 4 + 2 * n);
    EXPECT_EQ(structural_rank(robot, {.has_torque_rows = true}), 4 + 2 * n) << "torques add nothing at rest";
    EXPECT_EQ(structural_rank(robot, {.is_upright = true}), 3 + 2 * n) << "the base's own hz";
  }
}

TEST(StructuralRank, DoesNotGrowWhenLessIsKnown) {
  for (const char* name : {"balancer", "coman", "hoap3", "sarcos_real"}) {
    const RobotModel robot = RobotModel::load(name);
    const Roles& roles = robot.description().roles;
    const std::vector<FrameId> feet{robot.frame(roles.foot[kLeft]), robot.frame(roles.foot[kRight])};
    for (const bool is_moving : {false, true}) {
      RankQuestion question{.is_moving = is_moving, .has_torque_rows = true};
      const int all = structural_rank(robot, question);
      question.unknown_contacts = {feet.front()};
      const int one_foot = structural_rank(robot, question);
      question.unknown_contacts = feet;
      const int no_foot = structural_rank(robot, question);
      EXPECT_LE(one_foot, all) << name << (is_moving ? ", moving" : ", at rest");
      EXPECT_LE(no_foot, one_foot) << name << (is_moving ? ", moving" : ", at rest");
      question.has_base_rows = false;
      question.unknown_contacts = {};
      EXPECT_LE(structural_rank(robot, question), all) << name;
    }
  }
}

}  // namespace
}  // namespace aplomb
