#include "aplomb/robot/robot_description.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "aplomb/core/files/data_dir.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

constexpr const char* kWhole = R"(robot: mine
about: A robot.
cad: other
roles: {pelvis: base, trunk: base, head: top, left_foot: lf, right_foot: rf, left_hand: lh, right_hand: rh}
soles:
  left: {x_m: [-0.1, 0.2], y_m: [-0.05, 0.06], z_m: -0.03}
  right: {x_m: [-0.1, 0.2], y_m: [-0.06, 0.05], z_m: -0.03}
postures:
  half_sitting: {knee: 0.5, hip: -0.25}
  seated: {}
actuation: {kind: servo, stiffness_nm_per_rad: 400, damping_nm_s_per_rad: 20, armature_kg_m2: 0.005, default_effort_nm: 7}
sensors: {load_cells: {left: [[0.2, -0.05], [0.2, 0.06], [-0.1, 0.06], [-0.1, -0.05]], right: []}}
inertia: repair
)";

/// Reads `text` from a file mine.yaml in a folder of its own.
class RobotYaml : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  RobotDescription read(const std::string& text) {
    std::ofstream(file_) << text;
    return read_robot_yaml(file_);
  }
  std::string error_in(const std::string& text) {
    return error_of([&] { read(text); });
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("aplomb_robot_yaml_{}", getpid());
  std::filesystem::path file_ = folder_ / "mine.yaml";
};

TEST_F(RobotYaml, EveryKeyArrivesInItsField) {
  const RobotDescription robot = read(kWhole);
  EXPECT_EQ(robot.name, "mine");
  EXPECT_EQ(robot.about, "A robot.");
  EXPECT_EQ(robot.cad, "other");
  EXPECT_EQ(robot.file, file_);
  EXPECT_EQ(robot.urdf, folder_ / "mine.urdf");
  EXPECT_EQ(robot.roles.pelvis, "base");
  EXPECT_EQ(robot.roles.head, "top");
  EXPECT_EQ(robot.roles.foot[1], "rf");
  EXPECT_EQ(robot.roles.hand[0], "lh");
  ASSERT_TRUE(robot.soles[0] && robot.soles[1]);
  EXPECT_EQ(robot.soles[0]->x_min, -0.1);
  EXPECT_EQ(robot.soles[0]->y_max, 0.06);
  EXPECT_EQ(robot.soles[1]->y_max, 0.05);
  EXPECT_EQ(robot.soles[1]->z, -0.03);
  EXPECT_EQ(robot.postures.at("half_sitting"), (std::map<std::string, double>{{"knee", 0.5}, {"hip", -0.25}}));
  EXPECT_TRUE(robot.postures.at("seated").empty());
  EXPECT_EQ(robot.actuation.kind, Actuation::Kind::servo);
  EXPECT_EQ(robot.actuation.stiffness, 400.0);
  EXPECT_EQ(robot.actuation.damping, 20.0);
  EXPECT_EQ(robot.actuation.armature, 0.005);
  EXPECT_EQ(robot.actuation.default_effort, 7.0);
  ASSERT_EQ(robot.load_cells[0].size(), 4u);
  EXPECT_EQ(robot.load_cells[0][1], Eigen::Vector2d(0.2, 0.06));
  EXPECT_TRUE(robot.load_cells[1].empty());
  EXPECT_EQ(robot.inertia, InertiaPolicy::repair);
}

TEST_F(RobotYaml, OnlyTheNameIsRequired) {
  const RobotDescription robot = read("robot: mine\n");
  EXPECT_TRUE(robot.roles.trunk.empty());
  EXPECT_FALSE(robot.soles[0] || robot.soles[1]);
  EXPECT_EQ(robot.actuation.kind, Actuation::Kind::torque);
  EXPECT_EQ(robot.inertia, InertiaPolicy::refuse);
  EXPECT_TRUE(robot.cad.empty());
  EXPECT_TRUE(has(error_in("about: x\n"), "the key 'robot' is missing"));
}

TEST_F(RobotYaml, TheUrdfIsBesideOrBelowTheYaml) {
  EXPECT_EQ(read("robot: mine\nurdf: models/a.urdf\n").urdf, folder_ / "models/a.urdf");
  for (const char* path : {"/etc/passwd", "../a.urdf", "models/../../a.urdf", "''"}) {
    EXPECT_TRUE(
        has(error_in(std::string("robot: mine\nurdf: ") + path + "\n"), "mine.yaml:2:7: urdf must be a file beside"))
        << path;
  }
}

TEST_F(RobotYaml, AWrongValueIsAnErrorAtItsPlace) {
  const auto error_with = [&](const std::string& lines) { return error_in("robot: mine\n" + lines + "\n"); };
  EXPECT_TRUE(has(error_with("roles: {trnk: a}"), "mine.yaml:2:9: unknown key 'trnk' in roles; closest is 'trunk'"));
  EXPECT_TRUE(has(error_with("soles: {left: {x_m: [0, 1], y_m: [0, 1]}}"), "the key 'z_m' is missing in soles.left"));
  EXPECT_TRUE(has(error_with("soles: {left: {x_m: [0, 1, 2], y_m: [0, 1], z_m: 0}}"),
                  "a list of 2 numbers [m], not a list of 3"));
  EXPECT_TRUE(has(error_with("roles: {left_foot: f}\nsoles: {left: {x_m: [1, 0], y_m: [0, 1], z_m: 0}}"),
                  "mine.yaml:3:21: a sole's first edge must be less than its second"));
  EXPECT_TRUE(has(error_with("soles: {left: {x_m: [0, 1], y_m: [0, 1], z_m: 0}}"), "name it in roles.left_foot"));
  EXPECT_TRUE(
      has(error_with("postures: {half_sitting: {knee: 30deg}}"), "postures.half_sitting.knee must be a number"));
  EXPECT_TRUE(has(error_with("postures: {half_sitting: {knee: .nan}}"), "must be a finite number"));
  EXPECT_TRUE(has(error_with("actuation: {kind: velocity}"), "actuation.kind must be one of torque, servo"));
  EXPECT_TRUE(has(error_with("actuation: {kind: servo}"), "needs stiffness_nm_per_rad above 0"));
  EXPECT_TRUE(has(error_with("actuation: {armature_kg_m2: -1}"), "must be at least 0"));
  EXPECT_TRUE(
      has(error_with("sensors: {load_cells: {left: [[1, 2, 3]]}}"), "sensors.load_cells.left.0 must be a list of 2"));
  EXPECT_TRUE(has(error_with("inertia: mend"), "inertia must be one of as_is, repair"));
  const std::string foot = "roles: {left_foot: f}\nsoles: {left: {x_m: [0, 1], y_m: [0, 1], z_m: 0}}\n";
  for (const char* cells :
       {"[[0, 0], [0, 1], [1, 0]]", "[[0, 0], [0, 1], [1, 0], [1, 0.9]]", "[[0, 0], [0, 1], [1, 0], [1, 0]]"}) {
    EXPECT_TRUE(has(error_with(foot + "sensors: {load_cells: {left: " + cells + "}}"),
                    "load cells must be at the four corners of their foot's sole"));
  }
}

TEST_F(RobotYaml, AFrameOfItsOwnIsALinkOfTheRobot) {
  const Urdf urdf = parse_urdf(
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
      "ixy=\"0\" "
      "ixz=\"0\" iyz=\"0\"/></inertial></link></robot>",
      "r.urdf");
  const auto with = [&](const std::string& frame) {
    return with_frames(urdf, read("robot: mine\nframes: {" + frame + "}\n"));
  };
  const Urdf made = with("sole: {link: a, position_m: [1, 2, 3], rpy_rad: [0, 0, 1.5707963267948966]}");
  ASSERT_EQ(made.joints.size(), 1u);
  EXPECT_EQ(made.link("sole").inertia.mass, 0.0);
  EXPECT_EQ(made.joints[0].parent, "a");
  const Eigen::Vector3d moved = made.joints[0].T_parent_joint * Eigen::Vector3d::UnitX();
  EXPECT_LT((moved - Eigen::Vector3d(1, 3, 3)).norm(), 1e-12);
  EXPECT_TRUE(has(error_of([&] { with("sole: {link: b}"); }), "no link named 'b' in r.urdf (frames.sole in"));
  EXPECT_TRUE(has(error_of([&] { with("a: {link: a}"); }), "frames.a: r.urdf has a link or joint of this name"));
  EXPECT_TRUE(has(error_in("robot: mine\nframes: {sole: {position_m: [1, 2, 3]}}\n"), "the key 'link' is missing"));
  EXPECT_TRUE(has(error_in("robot: mine\nframes: {sole: {link: a, rpy_rad: [1, 2]}}\n"), "a list of 3 numbers"));
}

TEST(Roles, AreFoundByName) {
  const Roles roles{.pelvis = "p", .trunk = "t", .head = "", .foot = {"lf", "rf"}, .hand = {"lh", "rh"}};
  EXPECT_EQ(*roles.find("right_foot"), "rf");
  EXPECT_EQ(*roles.find("left_hand"), "lh");
  EXPECT_TRUE(roles.find("head")->empty());
  EXPECT_EQ(roles.find("elbow"), nullptr);
}

/// A body, a hinged foot, a fixed tip and a finger that follows the hinge.
Urdf small_urdf() {
  Urdf urdf;
  urdf.file = "folder/mine.urdf";
  for (const char* name : {"base", "foot", "tip", "finger"}) {
    urdf.links.emplace_back();
    urdf.links.back().name = name;
  }
  const auto add = [&](const char* name, UrdfJoint::Type type, const char* mimics) {
    UrdfJoint joint;
    joint.name = name;
    joint.type = type;
    joint.lower = -1.0;
    joint.upper = 0.5;
    joint.mimics = mimics;
    urdf.joints.push_back(joint);
  };
  add("hinge", UrdfJoint::Type::revolute, "");
  add("weld", UrdfJoint::Type::fixed, "");
  add("finger_joint", UrdfJoint::Type::revolute, "hinge");
  return urdf;
}

TEST(CheckDescription, FindsEveryNameThatTheUrdfLacks) {
  RobotDescription robot;
  robot.file = "folder/mine.yaml";
  robot.roles.foot[0] = "foot";
  robot.postures["bent"] = {{"hinge", 0.5}};
  EXPECT_NO_THROW(check_description(robot, small_urdf()));

  RobotDescription wrong_role = robot;
  wrong_role.roles.foot[1] = "fot";
  EXPECT_TRUE(has(error_of([&] { check_description(wrong_role, small_urdf()); }),
                  "no link named 'fot' in mine.urdf (roles.right_foot in folder/mine.yaml); closest is 'foot'"));
  for (const char* joint : {"hing", "weld", "finger_joint"}) {
    RobotDescription wrong_joint = robot;
    wrong_joint.postures["bent"] = {{joint, 0.0}};
    EXPECT_TRUE(
        has(error_of([&] { check_description(wrong_joint, small_urdf()); }), "(postures.bent in folder/mine.yaml)"));
  }
}

TEST(CheckDescription, APostureInDegreesIsFoundByTheJointsLimits) {
  RobotDescription robot;
  robot.file = "mine.yaml";
  robot.postures["bent"] = {{"hinge", -30.0}};
  EXPECT_TRUE(has(error_of([&] { check_description(robot, small_urdf()); }),
                  "mine.yaml: postures.bent.hinge is -30, outside of the joint's limits -1 to 0.5 in mine.urdf"));
}

TEST(CheckDescription, EveryRobotThatComesWithTheProgramFits) {
  for (const std::string& name : robot_names()) {
    const RobotDescription robot = read_robot_yaml(robot_yaml(name));
    EXPECT_EQ(robot.name, name);
    EXPECT_NO_THROW(check_description(robot, read_urdf(robot.urdf))) << name;
  }
}

}  // namespace
}  // namespace aplomb
