// Pinocchio's own URDF parser, which aplomb does not use, must see the same bodies in every possible robot.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/model.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <set>

#include "aplomb/robot/dynamics/body_tree.hpp"
#include "robot/urdf_samples.hpp"

namespace aplomb::test {
namespace {

constexpr double kRounding = 1e-12;  // both compute in doubles, in a different order

/// The joint of Pinocchio above a body of ours.
pinocchio::JointIndex joint_id(const pinocchio::Model& model, const Urdf& urdf, const RigidBody& body) {
  return body.joint < 0 ? 1 : model.getJointId(urdf.joints[static_cast<std::size_t>(body.joint)].name);
}

/// Pinocchio's model, with the joints locked that ours locks.
pinocchio::Model oracle_model(const std::string& text, const Urdf& urdf, const BodyTree& tree) {
  pinocchio::Model full;
  pinocchio::urdf::buildModelFromXML(text, pinocchio::JointModelFreeFlyer(), full);
  std::set<std::string> moving;
  for (const RigidBody& body : tree.bodies) {
    if (body.joint >= 0) moving.insert(urdf.joints[static_cast<std::size_t>(body.joint)].name);
  }
  std::vector<pinocchio::JointIndex> locked;
  for (pinocchio::JointIndex id = 2; id < static_cast<pinocchio::JointIndex>(full.njoints); ++id) {
    if (!moving.contains(full.names[id])) locked.push_back(id);
  }
  if (locked.empty()) return full;
  // Where ours are held: at zero, a mimic joint at its offset (no robot here has a mimic joint that turns without end).
  Eigen::VectorXd q = pinocchio::neutral(full);
  for (const UrdfJoint& joint : urdf.joints) {
    if (joint.is_mimic()) q[full.joints[full.getJointId(joint.name)].idx_q()] = joint.mimic_offset;
  }
  return pinocchio::buildReducedModel(full, locked, q);
}

void expect_same_body(const RigidBody& body, const pinocchio::Inertia& expected, bool is_repaired) {
  const Inertia& inertia = body.inertia;
  EXPECT_NEAR(inertia.mass, expected.mass(), kRounding * expected.mass()) << body.link;
  if (inertia.mass == 0.0) return;  // its centre of mass means nothing
  EXPECT_LT((inertia.com - expected.lever()).norm(), kRounding) << body.link;
  const Eigen::Matrix3d about_com = expected.inertia().matrix();
  if (is_repaired) return;
  EXPECT_LT((inertia.about_com - about_com).norm(), kRounding * about_com.norm()) << body.link;
}

bool same_pose(const Eigen::Isometry3d& T, const pinocchio::SE3& expected) {
  return (T.linear() - expected.rotation()).norm() < kRounding &&
         (T.translation() - expected.translation()).norm() < kRounding;
}

void expect_pinocchio_agrees(const std::string& text) {
  const Urdf urdf = parse_urdf(text, "test.urdf");
  const BodyTree tree = build_body_tree(urdf, InertiaPolicy::repair);
  const pinocchio::Model model = oracle_model(text, urdf, tree);
  ASSERT_EQ(static_cast<int>(tree.bodies.size()), model.njoints - 1);
  for (const RigidBody& body : tree.bodies) {
    const auto id = joint_id(model, urdf, body);
    const std::string repaired = "link '" + body.link + "': its inertia";
    const bool is_repaired = std::ranges::any_of(tree.notes, [&](auto& note) { return note.starts_with(repaired); });
    expect_same_body(body, model.inertias[id], is_repaired);
    if (body.parent < 0) continue;
    const RigidBody& parent = tree.bodies[static_cast<std::size_t>(body.parent)];
    EXPECT_EQ(model.parents[id], joint_id(model, urdf, parent)) << body.link;
    EXPECT_TRUE(same_pose(body.T_parent_joint, model.jointPlacements[id])) << body.link;
  }
  for (const LinkPlacement& link : tree.links) {
    const pinocchio::Frame& frame = model.frames[model.getFrameId(link.link, pinocchio::BODY)];
    EXPECT_EQ(frame.parentJoint, joint_id(model, urdf, tree.bodies[static_cast<std::size_t>(link.body)])) << link.link;
    EXPECT_TRUE(same_pose(link.T_body_link, frame.placement)) << link.link;
  }
}

void for_each_urdf(const std::filesystem::path& folder,
                   const std::function<void(const std::filesystem::path&)>& action) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf") action(entry.path());
  }
}

TEST(PinocchioParser, ReadsTheWalkerAlike) { expect_pinocchio_agrees(std::string(kWalker)); }

TEST(PinocchioParser, ReadsOurRobotsAlike) {
  int num_robots = 0;
  for_each_urdf(std::filesystem::path(APLOMB_SOURCE_DIR) / "robots", [&](const std::filesystem::path& file) {
    SCOPED_TRACE(file.string());
    expect_pinocchio_agrees(read_text(file));
    ++num_robots;
  });
  EXPECT_GE(num_robots, 6);
}

TEST(PinocchioParser, ReadsThePublicRobotsAlike) {
  const std::filesystem::path folder(APLOMB_EXAMPLE_ROBOTS);
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the package example-robot-data is not installed";
  // No robots: a joint that mimics a stranger, a joint to a missing link, a robot without a name.
  const std::set<std::string> broken = {"alex_psyonic_hands.urdf", "falcon.urdf", "ur3.urdf"};
  int num_robots = 0;
  for_each_urdf(folder, [&](const std::filesystem::path& file) {
    SCOPED_TRACE(file.string());
    if (broken.contains(file.filename().string())) {
      EXPECT_THROW(read_urdf(file), FileError);
    } else {
      expect_pinocchio_agrees(read_text(file));
      ++num_robots;
    }
  });
  EXPECT_GE(num_robots, 12);
}

}  // namespace
}  // namespace aplomb::test
