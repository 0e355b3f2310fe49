// The robots whose measures are ours are mirror images of themselves; HOAP-3 and CoMan have cables and boards to one
// side.
#include <gtest/gtest.h>

#include <random>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

const Eigen::Vector3d kMirror(1, -1, 1);  ///< left becomes right

std::string mirrored_name(const std::string& name) {
  if (name.starts_with("left_")) return "right_" + name.substr(5);
  if (name.starts_with("right_")) return "left_" + name.substr(6);
  return name;
}

/// For each joint, the joint that it becomes in the mirror, and whether its angle changes sign.
struct MirroredJoint {
  int index;
  double sign;
};

std::vector<MirroredJoint> mirrored_joints(const RobotModel& model) {
  std::vector<MirroredJoint> mirrored;
  for (const Joint& joint : model.joints()) {
    const int index = model.joint(mirrored_name(joint.name));
    // A turn about axis a becomes, in the mirror, a turn about −(mirrored a).
    const Eigen::Vector3d axis = -joint.axis.cwiseProduct(kMirror);
    mirrored.push_back({index, axis.dot(model.joints()[static_cast<std::size_t>(index)].axis)});
  }
  return mirrored;
}

class Symmetry : public testing::TestWithParam<std::string> {
 protected:
  const RobotModel model_ = test::our_robot(GetParam());
  const std::vector<MirroredJoint> mirrored_ = mirrored_joints(model_);

  Eigen::VectorXd mirror(const Eigen::VectorXd& joints) const {
    Eigen::VectorXd image(joints.size());
    for (std::size_t i = 0; i < mirrored_.size(); ++i) {
      image[mirrored_[i].index] = mirrored_[i].sign * joints[static_cast<Eigen::Index>(i)];
    }
    return image;
  }
};

TEST_P(Symmetry, LimitsAreThoseOfTheOtherSide) {
  for (std::size_t i = 0; i < mirrored_.size(); ++i) {
    const Joint& joint = model_.joints()[i];
    const Joint& other = model_.joints()[static_cast<std::size_t>(mirrored_[i].index)];
    const bool turns_over = mirrored_[i].sign < 0.0;
    EXPECT_EQ(std::abs(mirrored_[i].sign), 1.0) << joint.name;
    EXPECT_EQ(other.lower, turns_over ? -joint.upper : joint.lower) << joint.name;
    EXPECT_EQ(other.upper, turns_over ? -joint.lower : joint.upper) << joint.name;
    EXPECT_EQ(other.effort, joint.effort) << joint.name;
    EXPECT_EQ(other.velocity, joint.velocity) << joint.name;
  }
}

TEST_P(Symmetry, MirroredPostureHasMirroredDynamics) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-1.0, 1.0);
  for (int repeat = 0; repeat < 20; ++repeat) {
    RobotState state = model_.neutral_state();
    for (double& q : state.q.tail(model_.num_joints())) q = angle(random);
    RobotState image = state;
    image.q.tail(model_.num_joints()) = mirror(state.q.tail(model_.num_joints()));
    const RobotTerms terms = test::terms_at(model_, state);
    const RobotTerms image_terms = test::terms_at(model_, image);
    EXPECT_LT((image_terms.com() - terms.com().cwiseProduct(kMirror)).norm(), 1e-12);
    const Eigen::VectorXd gravity = mirror(terms.gravity().tail(model_.num_joints()));
    EXPECT_LT((image_terms.gravity().tail(model_.num_joints()) - gravity).norm(), 1e-9);
    for (std::size_t i = 0; i < mirrored_.size(); ++i) {  // inertia seen by each joint
      const auto row = static_cast<Eigen::Index>(6 + i);
      const Eigen::Index image_row = 6 + mirrored_[i].index;
      EXPECT_NEAR(image_terms.mass_matrix()(image_row, image_row), terms.mass_matrix()(row, row), 1e-12);
    }
  }
}

TEST_P(Symmetry, PosturesAreSymmetric) {
  for (const auto& [name, angles] : model_.description().postures) {
    const Eigen::VectorXd joints = model_.posture(name).q.tail(model_.num_joints());
    EXPECT_EQ((mirror(joints) - joints).norm(), 0.0) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(OurRobots, Symmetry, testing::Values("balancer", "sarcos", "sarcos_real", "sarcos_heavy"),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
