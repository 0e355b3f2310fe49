// Robots that we did not write: their URDFs come with the package example-robot-data, their YAMLs are ours. Pinocchio's
// own URDF parser, which aplomb does not use, is the oracle.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "aplomb/robot/guess/guess.hpp"
#include "aplomb/robot/package_path.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "robots/our_robots.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

/// The package's robots; empty when it is not installed.
fs::path example_robots() {
  for (const fs::path& root : package_roots()) {
    const fs::path folder = root / "example-robot-data" / "robots";
    if (fs::exists(folder)) return folder;
  }
  return {};
}

#define SKIP_WITHOUT_PACKAGE() \
  if (example_robots().empty()) GTEST_SKIP() << "the package example-robot-data is not installed"

/// Pinocchio's configuration for our joint angles, its base at the origin; joints that ours locks are where ours are.
Eigen::VectorXd configuration(const pinocchio::Model& oracle, const RobotModel& robot, const RobotState& state) {
  Eigen::VectorXd q = pinocchio::neutral(oracle);
  for (const UrdfJoint& joint : robot.urdf().joints) {
    if (joint.is_mimic() && oracle.existJointName(joint.name))
      q[oracle.joints[oracle.getJointId(joint.name)].idx_q()] = joint.mimic_offset;
  }
  for (int i = 0; i < robot.num_joints(); ++i) {
    const auto& joint = oracle.joints[oracle.getJointId(robot.joints()[static_cast<std::size_t>(i)].name)];
    EXPECT_EQ(joint.nq(), 1);  // none of these robots turns without end
    q[joint.idx_q()] = state.q[7 + i];
  }
  return q;
}

class ForeignRobot : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { SKIP_WITHOUT_PACKAGE(); }
};

TEST_P(ForeignRobot, HasTheMassAndTheCentreOfMassOfPinocchiosModel) {
  const RobotModel robot = RobotModel::load(GetParam());
  pinocchio::Model oracle;
  pinocchio::urdf::buildModel(robot.urdf().file.string(), pinocchio::JointModelFreeFlyer(), oracle);
  EXPECT_NEAR(robot.mass(), pinocchio::computeTotalMass(oracle), 1e-12 * robot.mass());
  for (const char* posture : {"half_sitting", "zero"}) {
    RobotState state = posture == std::string("zero") ? robot.neutral_state() : robot.posture(posture);
    state.q.head<7>() << 0, 0, 0, 0, 0, 0, 1;
    pinocchio::Data data(oracle);
    const Eigen::Vector3d expected = pinocchio::centerOfMass(oracle, data, configuration(oracle, robot, state));
    EXPECT_LT((test::terms_at(robot, state).com() - expected).norm(), 1e-12) << posture;
  }
}

TEST_P(ForeignRobot, BalancesInItsHalfSittingPosture) {
  const RobotModel robot = RobotModel::load(GetParam());
  const RobotState state = robot.posture("half_sitting");
  const RobotTerms terms = test::terms_at(robot, state, sole_frames(robot));
  EXPECT_LT(terms.com().head<2>().norm(), 1e-4);
  for (const FrameId foot : sole_frames(robot)) {
    const Eigen::Matrix3d R_world_foot = terms.frame(foot).T_world_frame.linear();
    EXPECT_LT((R_world_foot - Eigen::Matrix3d::Identity()).norm(), 2e-5);  // their files round pi to 3.14159
  }
  const double left = terms.frame(sole_frames(robot)[kLeft]).T_world_frame.translation().y();
  EXPECT_GT(left, 0.03);  // the left foot is on the left
  StaticTorque statics(robot);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  for (int i = 0; i < robot.num_joints(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    EXPECT_LT(std::abs(torque[i]), 0.6 * joint.effort) << joint.name;
    EXPECT_GE(state.q[7 + i], joint.lower) << joint.name;
    EXPECT_LE(state.q[7 + i], joint.upper) << joint.name;
  }
}

TEST_P(ForeignRobot, StandsForFiveSeconds) {
  const Result result = run_scenario(load_scenario("stand_" + GetParam())).result;
  for (const CheckOutcome& check : result.checks) EXPECT_TRUE(check.ok) << check.check.metric;
}

INSTANTIATE_TEST_SUITE_P(Package, ForeignRobot, testing::Values("talos", "romeo", "icub", "g1"),
                         [](const auto& robot) { return robot.param; });

/// Robots of the package that nobody has described here.
class UnknownRobot : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { SKIP_WITHOUT_PACKAGE(); }
};

TEST_P(UnknownRobot, StandsAsItIsGuessed) {
  const std::vector<fs::path> roots = package_roots();
  const Urdf urdf = read_urdf(example_robots() / GetParam());
  Guess guess = guess_description(urdf, roots);
  const fs::path yaml = fs::path(::testing::TempDir()) / (urdf.file.stem().string() + "_guess.yaml");
  guess.description.urdf = urdf_as_named_in(yaml, urdf.file, roots);
  std::ofstream(yaml) << guess_yaml(guess);
  const std::string scenario = "scenario: guess\nrobot: " + yaml.string() + "\nduration_s: 2\n";
  const Result result = run_scenario(parse_scenario(scenario, "guess")).result;
  EXPECT_EQ(result.metrics.number("fell"), 0.0);
  EXPECT_LT(result.metrics.number("com_error_max_m").value_or(1.0), 0.005);
  EXPECT_EQ(result.metrics.number("sim_warnings"), 0.0);
  fs::remove(yaml);
}

INSTANTIATE_TEST_SUITE_P(
    Package, UnknownRobot,
    testing::Values("talos_data/robots/talos_full_v2.urdf", "talos_data/robots/talos_reduced_box.urdf",
                    "romeo_description/urdf/romeo_small.urdf", "icub_description/robots/icub_reduced.urdf",
                    "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", "human_description/robots/human.urdf",
                    "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf"),
    [](const auto& robot) {
      std::string name = fs::path(robot.param).stem().string();
      std::ranges::replace(name, '.', '_');
      return name;
    });

TEST(UnknownRobotWithoutShapes, IsRefusedBecauseNoSoleCanBeGuessed) {
  SKIP_WITHOUT_PACKAGE();
  const Urdf urdf = read_urdf(example_robots() / "simple_humanoid_description/urdf/simple_humanoid.urdf");
  const std::string said = test::error_of([&] { guess_description(urdf, package_roots()); });
  EXPECT_TRUE(test::has(said, "the foot 'l_ankle' has no shapes, from which its sole could be guessed")) << said;
}

}  // namespace
}  // namespace aplomb
