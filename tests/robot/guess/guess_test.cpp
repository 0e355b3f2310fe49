// A guess knows nothing but the URDF; our own robots, whose YAML was written by hand, say what is right.
#include "aplomb/robot/guess/guess.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <fstream>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "robot/small_walker.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using test::has;
using test::SmallWalker;

Urdf our_urdf(const std::string& name) {
  return read_urdf(fs::path(APLOMB_SOURCE_DIR) / "robots" / name / (name + ".urdf"));
}
RobotModel by_hand(const std::string& name) {
  return RobotModel::from_file(fs::path(APLOMB_SOURCE_DIR) / "robots" / name / (name + ".urdf"));
}
RobotModel guessed(const Urdf& urdf) { return RobotModel(urdf, guess_description(urdf, {}).description); }
Urdf walker(const SmallWalker& walker) { return parse_urdf(walker.urdf(), "walker.urdf"); }

int body_of(const RobotModel& model, const std::string& link) {
  return link.empty() ? -1 : model.tree().links[static_cast<std::size_t>(model.frame(link))].body;
}

/// The corners of a sole in the root's frame, with the joints at zero.
std::vector<Eigen::Vector3d> corners_at_zero(const RobotModel& model, Side side) {
  const FrameId foot = model.frame(model.description().roles.foot[side]);
  RobotTerms terms(model, std::vector<FrameId>{foot});
  terms.update(model.neutral_state());
  std::vector<Eigen::Vector3d> corners;
  for (const Eigen::Vector3d& corner : model.description().soles[side]->corners()) {
    corners.push_back(terms.frame(foot).T_world_frame * corner);
  }
  return corners;
}

void expect_stands(const RobotModel& model) {
  const RobotState state = model.posture("half_sitting");
  RobotTerms terms(model, sole_frames(model));
  terms.update(state);
  EXPECT_LT(terms.com().head<2>().norm(), 1e-4);
  for (const Side side : {kLeft, kRight}) {
    const FrameTerms& foot = terms.frame(sole_frames(model)[side]);
    EXPECT_LT((foot.T_world_frame.linear() - Eigen::Matrix3d::Identity()).norm(), 1e-5);
    EXPECT_NEAR((foot.T_world_frame * model.description().soles[side]->centre()).z(), 0.0, 1e-5);
  }
  StaticTorque statics(model);
  const Eigen::VectorXd torque = statics.compute(terms, {0.5, 0.5});
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    EXPECT_LT(std::abs(torque[i]), 0.6 * joint.effort) << joint.name;
  }
}

class GuessOfOurs : public testing::TestWithParam<std::string> {};

TEST_P(GuessOfOurs, FindsTheBodiesThatPlayTheRoles) {
  const RobotModel right = by_hand(GetParam());
  const RobotModel guess = guessed(our_urdf(GetParam()));
  const Roles &expected = right.description().roles, &found = guess.description().roles;
  EXPECT_EQ(body_of(guess, found.pelvis), body_of(right, expected.pelvis));
  EXPECT_EQ(body_of(guess, found.trunk), body_of(right, expected.trunk));
  EXPECT_EQ(body_of(guess, found.head), body_of(right, expected.head));
  for (const Side side : {kLeft, kRight}) {
    EXPECT_EQ(body_of(guess, found.foot[side]), body_of(right, expected.foot[side]));
    EXPECT_FALSE(found.hand[side].empty());
  }
}

TEST_P(GuessOfOurs, FindsTheSoles) {
  const RobotModel right = by_hand(GetParam());
  const RobotModel guess = guessed(our_urdf(GetParam()));
  for (const Side side : {kLeft, kRight}) {
    ASSERT_TRUE(guess.description().soles[side]);
    const auto expected = corners_at_zero(right, side), found = corners_at_zero(guess, side);
    for (std::size_t i = 0; i < 4; ++i) {
      // HOAP-3's soles are the rectangle of its load cells, inside of the foot.
      EXPECT_LT((found[i] - expected[i]).norm(), GetParam() == "hoap3" ? 0.03 : 1e-3);
      EXPECT_NEAR(found[i].z(), expected[i].z(), 1e-3);
    }
  }
}

TEST_P(GuessOfOurs, FindsAPostureThatBalances) { expect_stands(guessed(our_urdf(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(OurRobots, GuessOfOurs, testing::Values("balancer", "coman", "hoap3", "sarcos"),
                         [](const auto& robot) { return robot.param; });

TEST(Guess, DoesNotReadNames) {
  const Urdf original = our_urdf("coman");
  Urdf renamed = original;
  const auto backwards = [](const std::string& name) { return std::string(name.rbegin(), name.rend()); };
  for (UrdfLink& link : renamed.links) link.name = backwards(link.name);
  for (UrdfJoint& joint : renamed.joints) {
    joint.name = backwards(joint.name);
    joint.parent = backwards(joint.parent);
    joint.child = backwards(joint.child);
  }
  const RobotDescription expected = guess_description(original, {}).description;
  const RobotDescription found = guess_description(renamed, {}).description;
  EXPECT_EQ(found.roles.pelvis, backwards(expected.roles.pelvis));
  EXPECT_EQ(found.roles.hand[kLeft], backwards(expected.roles.hand[kLeft]));
  for (const Side side : {kLeft, kRight}) EXPECT_EQ(found.soles[side]->x_max, expected.soles[side]->x_max);
  for (const auto& [joint, angle] : expected.postures.at("half_sitting")) {
    EXPECT_EQ(found.postures.at("half_sitting").at(backwards(joint)), angle);
  }
}

/// The same robot with another frame in its root link.
Urdf with_turned_root(Urdf urdf, const std::string& root, const Eigen::Matrix3d& R) {
  const Eigen::Isometry3d T(R);
  for (UrdfJoint& joint : urdf.joints) {
    if (joint.parent == root) joint.T_parent_joint = T * joint.T_parent_joint;
  }
  for (UrdfLink& link : urdf.links) {
    if (link.name != root) continue;
    link.inertia = transformed(T, link.inertia);
    for (auto* shapes : {&link.visuals, &link.collisions}) {
      for (Shape& shape : *shapes) shape.T_link_shape = T * shape.T_link_shape;
    }
  }
  return urdf;
}

TEST(Guess, DoesNotCareForTheAxesOfTheRoot) {
  const Urdf original = our_urdf("balancer");
  const RobotDescription expected = guess_description(original, {}).description;
  const Eigen::AngleAxisd y_up(-std::numbers::pi / 2, Eigen::Vector3d::UnitX()),
      backwards(std::numbers::pi, Eigen::Vector3d::UnitZ()), x_sideways(std::numbers::pi / 2, Eigen::Vector3d::UnitZ());
  for (const Eigen::AngleAxisd& turn : {y_up, backwards, x_sideways}) {
    const Urdf turned = with_turned_root(original, "trunk", turn.toRotationMatrix());
    const RobotDescription found = guess_description(turned, {}).description;
    EXPECT_EQ(found.roles.foot, expected.roles.foot);
    EXPECT_EQ(found.roles.hand, expected.roles.hand);
    ASSERT_TRUE(found.postures.contains("half_sitting"));
    for (const auto& [joint, angle] : expected.postures.at("half_sitting")) {
      EXPECT_NEAR(found.postures.at("half_sitting").at(joint), angle, 2e-6) << joint;  // six decimals
    }
    expect_stands(RobotModel(turned, found));
  }
}

TEST(Guess, AFootWithOtherAxesGetsAFrameOfItsOwn) {
  Urdf urdf = walker({});
  for (UrdfJoint& joint : urdf.joints) {
    // The foot's frame is turned about its axis, so that its z axis points aside.
    if (joint.name.ends_with("tilt")) joint.T_parent_joint.rotate(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX()));
  }
  for (UrdfLink& link : urdf.links) {
    const Eigen::Isometry3d back(Eigen::AngleAxisd(-1.2, Eigen::Vector3d::UnitX()));
    if (!link.name.ends_with("6")) continue;
    link.inertia = transformed(back, link.inertia);
    for (Shape& shape : link.collisions) shape.T_link_shape = back * shape.T_link_shape;
  }
  const RobotDescription found = guess_description(urdf, {}).description;
  EXPECT_EQ(found.roles.foot[kLeft], "left_sole");
  ASSERT_TRUE(found.frames.contains("left_sole"));
  EXPECT_EQ(found.frames.at("left_sole").link, "leg0a6");
  const RobotModel model(urdf, found);
  expect_stands(model);
  expect_stands(RobotModel(model.urdf(), model.description()));  // its URDF has the frames already
}

TEST(Guess, ASoleIsTheFlatUndersideOfTheFoot) {
  const RobotDescription found = guess_description(walker({}), {}).description;
  ASSERT_TRUE(found.soles[kLeft]);
  const Sole& sole = *found.soles[kLeft];
  EXPECT_NEAR(sole.x_min, -0.07, 1e-9);
  EXPECT_NEAR(sole.x_max, 0.13, 1e-9);
  EXPECT_NEAR(sole.y_max, 0.05, 1e-9);
  EXPECT_NEAR(sole.z, -0.06, 1e-9);
}

TEST(Guess, ASoleIsReadFromAMesh) {
  const fs::path folder = fs::path(::testing::TempDir()) / "aplomb_guess";
  fs::create_directories(folder);
  std::ofstream obj(folder / "foot.obj");
  for (const char* corner : {"-70 -40 -60", "130 -40 -60", "-70 40 -60", "130 40 -60", "0 0 0"})
    obj << "v " << corner << '\n';
  obj.close();
  const SmallWalker shape{.foot_geometry = "<mesh filename=\"foot.obj\" scale=\"0.001 0.001 0.001\"/>",
                          .foot_pose = "0 0 0"};
  const Guess guess = guess_description(parse_urdf(shape.urdf(), folder / "walker.urdf"), {});
  ASSERT_TRUE(guess.description.soles[kRight]);
  EXPECT_NEAR(guess.description.soles[kRight]->x_max, 0.13, 1e-9);
  EXPECT_NEAR(guess.description.soles[kRight]->y_min, -0.04, 1e-9);
  EXPECT_NEAR(guess.description.soles[kRight]->z, -0.06, 1e-9);
  fs::remove_all(folder);
}

std::string refusal(const SmallWalker& robot) {
  try {
    guess_description(parse_urdf(robot.urdf(), "/nowhere/walker.urdf"), {});
    return {};
  } catch (const FileError& error) {
    return error.what();
  }
}

TEST(Guess, NoSoleIsGuessedForAFootThatIsNotSeen) {
  EXPECT_TRUE(has(refusal({.foot_geometry = ""}), "the foot 'leg0a6' has no shapes"));
  const std::string missing = refusal({.foot_geometry = "<mesh filename=\"package://walker_description/foot.stl\"/>"});
  EXPECT_TRUE(has(missing, "the foot 'leg0a6' cannot be seen")) << missing;
  EXPECT_TRUE(has(missing, "a folder walker_description")) << missing;
  EXPECT_TRUE(has(refusal({.foot_geometry = "<mesh filename=\"meshes/foot.stl\"/>"}), "/nowhere/meshes/foot.stl"));
}

TEST(Guess, AKneeIsNoFootWhereTheMeshesOfTheFeetAreMissing) {
  // The shanks alone have shapes, and these have flat ends, as those of a robot whose other shapes are meshes.
  std::string urdf = SmallWalker{.foot_geometry = "<mesh filename=\"package://walker_description/foot.stl\"/>"}.urdf();
  for (const char* shank : {"leg0a4", "leg0b4"}) {
    const std::size_t at = urdf.find('>', urdf.find(std::string("<link name=\"") + shank + "\"")) + 1;
    urdf.insert(at,
                "<collision><origin xyz=\"0 0 -0.17\"/><geometry><box size=\"0.2 0.1 0.34\"/></geometry></collision>");
  }
  try {
    guess_description(parse_urdf(urdf, "/nowhere/walker.urdf"), {});
    FAIL() << "the knees were taken for feet";
  } catch (const FileError& error) {
    EXPECT_TRUE(has(error.what(), "the foot 'leg0a6' cannot be seen")) << error.what();
  }
}

std::string what_is_missing(const SmallWalker& robot) {
  const Guess guess = guess_description(walker(robot), {});
  EXPECT_FALSE(guess.description.soles[kLeft] || guess.description.soles[kRight]);
  EXPECT_TRUE(guess.description.postures.empty());
  return guess.missing.empty() ? "" : guess.missing.back();
}

TEST(Guess, ARobotThatDoesNotStandOnTwoFeetIsReported) {
  EXPECT_TRUE(has(what_is_missing({.foot_geometry = "<sphere radius=\"0.02\"/>"}), "is not flat below"));
  EXPECT_TRUE(has(what_is_missing({.num_pairs_of_legs = 2}), "it has more than two legs"));
  EXPECT_TRUE(has(what_is_missing({.num_pairs_of_legs = 0}), "does not stand on two legs"));
  EXPECT_TRUE(has(what_is_missing({.num_pairs_of_legs = 0, .has_arms = true}), "does not stand on two legs"));
}

TEST(Guess, ArmsAreNoLegs) {
  const RobotDescription found = guess_description(walker({.has_arms = true}), {}).description;
  EXPECT_EQ(found.roles.trunk, "chest");
  EXPECT_EQ(found.roles.hand[kLeft], "arma2");
  EXPECT_EQ(found.roles.foot[kRight], "leg0b6");
}

TEST(Guess, IsTheSameWhenItIsReadBackFromItsYaml) {
  const fs::path file = fs::path(::testing::TempDir()) / "aplomb_guess.yaml";
  Urdf urdf = with_turned_root(our_urdf("balancer"), "trunk",
                               Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitZ()).matrix());
  for (UrdfJoint& joint : urdf.joints) {
    for (std::string* name : {&joint.name, &joint.parent, &joint.child}) *name = "a: \"" + *name + "\" #";
  }
  for (UrdfLink& link : urdf.links) link.name = "a: \"" + link.name + "\" #";  // names that YAML could take amiss
  Guess guess = guess_description(urdf, {});
  guess.description.urdf = "balancer.urdf";
  std::ofstream(file) << guess_yaml(guess);
  RobotDescription found = read_robot_yaml(file);
  const RobotDescription& expected = guess.description;
  EXPECT_EQ(found.name, expected.name);
  EXPECT_EQ(found.roles.foot, expected.roles.foot);
  EXPECT_EQ(found.roles.trunk, expected.roles.trunk);
  EXPECT_EQ(found.actuation.armature, expected.actuation.armature);
  EXPECT_EQ(found.postures.at("half_sitting").size(), expected.postures.at("half_sitting").size());
  for (const auto& [joint, angle] : expected.postures.at("half_sitting")) {
    EXPECT_NEAR(found.postures.at("half_sitting").at(joint), angle, 1e-9);
  }
  expect_stands(RobotModel(urdf, found));
  fs::remove(file);
}

TEST(Guess, NamesTheUrdfFromWhereTheYamlIs) {
  const std::vector<fs::path> roots = {"/packages"};
  EXPECT_EQ(urdf_as_named_in("/a/r.yaml", "/a/r.urdf", roots), "r.urdf");
  EXPECT_EQ(urdf_as_named_in("/a/r.yaml", "/a/b/r.urdf", roots), "b/r.urdf");
  EXPECT_EQ(urdf_as_named_in("/c/r.yaml", "/a/r.urdf", roots), "r.urdf");  // to be moved there
  EXPECT_EQ(urdf_as_named_in("/c/r.yaml", "/packages/p/b/r.urdf", roots).string(), "package://p/b/r.urdf");
}

}  // namespace
}  // namespace aplomb
