#include "aplomb/robot/dynamics/body_tree.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "robot/random_robot.hpp"
#include "robot/urdf_samples.hpp"

namespace aplomb::test {
namespace {

constexpr double kRounding = 1e-12;  // of numbers of order one, after a few dozen operations

const RigidBody& body_of(const BodyTree& tree, std::string_view link) {
  for (const RigidBody& body : tree.bodies) {
    if (body.link == link) return body;
  }
  throw std::logic_error("no such body");
}

TEST(BodyTree, HasTheMassCentreAndInertiaOfThePointsOfItsLinks) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const RandomRobot robot(seed, /*num_links=*/25);
    const BodyTree tree = build_body_tree(robot.urdf, InertiaPolicy::refuse);
    ASSERT_EQ(tree.links.size(), robot.urdf.links.size());
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const std::vector<PointMass> points = robot.points_of_body(tree, static_cast<int>(i));
      const Inertia& inertia = tree.bodies[i].inertia;
      const Eigen::Vector3d about(0.3, -0.2, 0.9);  // any point will do
      const Eigen::Vector3d d = inertia.com - about;
      const Eigen::Matrix3d about_point =
          inertia.about_com + inertia.mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
      const Inertia expected = inertia_of(points);
      EXPECT_NEAR(inertia.mass, expected.mass, kRounding * expected.mass);
      EXPECT_LT((inertia.com - expected.com).norm(), kRounding * (1.0 + expected.com.norm()));
      EXPECT_LT((about_point - inertia_about(points, about)).norm(), kRounding * about_point.norm());
    }
  }
}

TEST(BodyTree, KeepsEveryLinkWhereTheFilePutsIt) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomRobot robot(seed, /*num_links=*/25);
    const BodyTree tree = build_body_tree(robot.urdf, InertiaPolicy::refuse);
    std::vector<Eigen::Isometry3d> T_root_body;
    for (const RigidBody& body : tree.bodies) {
      ASSERT_LT(body.parent, static_cast<int>(T_root_body.size())) << "parents come before children";
      const bool is_root = body.parent < 0;
      T_root_body.push_back(is_root ? body.T_parent_joint
                                    : T_root_body[static_cast<std::size_t>(body.parent)] * body.T_parent_joint);
    }
    for (const LinkPlacement& link : tree.links) {
      const Eigen::Isometry3d T_root_link = T_root_body[static_cast<std::size_t>(link.body)] * link.T_body_link;
      EXPECT_TRUE(T_root_link.isApprox(robot.pose_of(link.link), 1e-10)) << link.link;  // a chain of up to 25 poses
    }
  }
}

TEST(BodyTree, IsDepthFirstInTheFilesOrder) {
  const BodyTree tree = body_tree(kWalker);
  std::vector<std::string> bodies, links;
  for (const RigidBody& body : tree.bodies) bodies.push_back(body.link);
  for (const LinkPlacement& link : tree.links) links.push_back(link.link);
  EXPECT_EQ(bodies, (std::vector<std::string>{"pelvis", "thigh", "shank", "roll"}));
  EXPECT_EQ(links, (std::vector<std::string>{"pelvis", "camera", "thigh", "shank", "roll", "tip"}));
}

TEST(BodyTree, LocksAMimicJointAtItsOffsetAndSaysSo) {
  const BodyTree tree = body_tree(kWalker);
  const LinkPlacement& tip = tree.links.back();
  EXPECT_EQ(tip.body, 0);
  const Eigen::Isometry3d expected =
      Eigen::Translation3d(0.0, -0.1, 0.0) * Eigen::AngleAxisd(0.25, Eigen::Vector3d::UnitX());
  EXPECT_TRUE(tip.T_body_link.isApprox(expected, kRounding));
  ASSERT_EQ(tree.notes.size(), 1u);
  EXPECT_NE(tree.notes[0].find("finger"), std::string::npos);
  EXPECT_NEAR(tree.bodies[0].inertia.mass, 5.1, kRounding);
}

TEST(BodyTree, ChecksAnInertiaOnlyAfterMerging) {
  // A point mass is impossible as a moving body, but fine as a part of one.
  const std::string point = R"(<link name="camera"><inertial><mass value="0.2"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>)";
  EXPECT_EQ(complaint(walker_with(R"(<link name="camera"/>)", point)), "");
}

/// A robot of two masses with `between` (links and joints without mass) from link 'base' to link 'end'.
std::string row_of_joints(std::string_view between) {
  return R"(<robot name="row"><link name="base">)" + ball(2.0) + R"(</link><link name="end">)" + ball(1.0) + "</link>" +
         std::string(between) + "</robot>";
}

std::string joint_between(const std::string& parent, const std::string& child, const std::string& axis,
                          const std::string& type = "continuous") {
  return "<joint name=\"to_" + child + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" +
         child + "\"/><origin xyz=\"0.1 0.02 0.3\" rpy=\"0.2 0 0\"/><axis xyz=\"" + axis +
         "\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>" +
         (child == "end" ? "" : "<link name=\"" + child + "\"/>");
}

TEST(MultiAxisJoint, MayHaveLinksWithoutMassWhoseAxesDiffer) {
  const std::string row =
      joint_between("base", "a", "1 0 0") + joint_between("a", "b", "0 1 0") + joint_between("b", "end", "0 0 1");
  EXPECT_EQ(complaint(row_of_joints(row)), "");
  const std::string parallel = joint_between("base", "a", "1 0 0") + joint_between("a", "end", "1 0 0");
  EXPECT_EQ(complaint(row_of_joints(parallel)), "") << "parallel axes at a distance differ";
}

TEST(MultiAxisJoint, MayNotHaveMoreThanSixAxes) {
  std::string row = joint_between("base", "a", "1 0 0") + joint_between("a", "b", "0 1 0") +
                    joint_between("b", "c", "0 0 1") + joint_between("c", "d", "1 0 0", "prismatic") +
                    joint_between("d", "e", "0 1 0", "prismatic");
  EXPECT_EQ(complaint(row_of_joints(row + joint_between("e", "end", "0 0 1", "prismatic"))), "");
  row += joint_between("e", "f", "0 0 1", "prismatic") + joint_between("f", "end", "1 0 0");
  EXPECT_NE(complaint(row_of_joints(row)).find("7 joints in a row"), std::string::npos);
}

TEST(MultiAxisJoint, MayNotSlideTwiceTheSameWay) {
  // Sliding does not turn what follows, so equal axes stay equal wherever the joints are.
  const std::string same = R"(<joint name="s" type="prismatic"><parent link="base"/><child link="m"/><axis xyz="1 0 0"/>
      <limit lower="0" upper="1" effort="1" velocity="1"/></joint><link name="m"/>
      <joint name="t" type="prismatic"><parent link="m"/><child link="end"/><axis xyz="-1 0 0"/>
      <limit lower="0" upper="1" effort="1" velocity="1"/></joint>)";
  EXPECT_NE(complaint(row_of_joints(same)).find("in the same way"), std::string::npos);
}

TEST(FloatingRoot, IsLeftOutWithTheWorldAboveIt) {
  for (const std::string type : {"floating", "planar"}) {
    const std::string text = R"(<robot name="f"><link name="world"/><link name="mark"/><link name="base">)" +
                             ball(2.0) + R"(</link><link name="arm">)" + ball(1.0) + "</link>" +
                             R"(<joint name="m" type="fixed"><parent link="world"/><child link="mark"/></joint>
        <joint name="free" type=")" +
                             type + R"("><parent link="mark"/><child link="base"/><origin xyz="0 0 1"/></joint>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)";
    const BodyTree tree = body_tree(text);
    ASSERT_EQ(tree.bodies.size(), 2u);
    EXPECT_EQ(tree.bodies[0].link, "base");
    EXPECT_EQ(tree.bodies[0].joint, -1);
    EXPECT_EQ(tree.bodies[0].parent, -1);
    EXPECT_TRUE(tree.bodies[0].T_parent_joint.isApprox(Eigen::Isometry3d::Identity()));
    EXPECT_EQ(tree.bodies[1].parent, 0);
    ASSERT_EQ(tree.links.size(), 2u);
    EXPECT_EQ(tree.links[0].body, 0);
    EXPECT_EQ(tree.notes.size(), 1u);
    EXPECT_NE(complaint(changed(text, R"(<link name="mark"/>)", R"(<link name="mark">)" + ball(1.0) + "</link>")), "");
  }
}

TEST(Repair, LocksJointsThatMoveNoMassAndSaysSo) {
  const std::string idle = walker_with(R"(<gazebo reference="pelvis">)", R"(<link name="a"/><link name="b"/>
      <joint name="idle" type="continuous"><parent link="roll"/><child link="a"/></joint>
      <joint name="idler" type="continuous"><parent link="a"/><child link="b"/></joint><gazebo reference="pelvis">)");
  EXPECT_NE(complaint(idle).find("has no mass"), std::string::npos);
  const BodyTree tree = body_tree(idle, InertiaPolicy::repair);
  EXPECT_EQ(tree.bodies.size(), 4u);
  EXPECT_NE(tree.notes.back().find("locked joints: idle, idler"), std::string::npos);
}

TEST(Repair, TakesAPossibleInertiaAndSaysSo) {
  const std::string broken = walker_with(R"(iyy="0.0015")", R"(iyy="0.0041")");
  const BodyTree tree = body_tree(broken, InertiaPolicy::repair);
  EXPECT_EQ(impossibility(body_of(tree, "roll").inertia), "");
  EXPECT_NE(tree.notes.back().find("link 'roll'"), std::string::npos);
  EXPECT_NE(tree.notes.back().find("a change of"), std::string::npos);
}

TEST(Repair, LeavesWhatIsPossibleAsItIs) {
  const BodyTree refused = body_tree(kWalker), repaired = body_tree(kWalker, InertiaPolicy::repair);
  EXPECT_EQ(refused.notes, repaired.notes);
  for (std::size_t i = 0; i < refused.bodies.size(); ++i) {
    EXPECT_EQ(refused.bodies[i].inertia.about_com, repaired.bodies[i].inertia.about_com);
  }
}

}  // namespace
}  // namespace aplomb::test
