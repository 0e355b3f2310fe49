#include "aplomb/robot/urdf/urdf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "robot/random_robot.hpp"
#include "robot/urdf_samples.hpp"

namespace aplomb::test {
namespace {

const UrdfJoint& joint_of(const Urdf& urdf, std::string_view name) {
  for (const UrdfJoint& joint : urdf.joints) {
    if (joint.name == name) return joint;
  }
  throw std::logic_error("no such joint");
}

Urdf walker() { return parse_urdf(kWalker, "walker.urdf"); }

template <class Thrown>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Urdf, HoldsWhatTheFileSaysInItsOrder) {
  const Urdf urdf = walker();
  EXPECT_EQ(urdf.name, "walker");
  ASSERT_EQ(urdf.links.size(), 6u);
  ASSERT_EQ(urdf.joints.size(), 5u);
  EXPECT_EQ(urdf.links[1].name, "camera");
  EXPECT_EQ(urdf.links[1].line, 20);
  EXPECT_EQ(urdf.links[1].inertial_line, 0);
  EXPECT_EQ(urdf.links[0].inertial_line, 5);
  EXPECT_EQ(urdf.joints[1].name, "hip");
  EXPECT_EQ(urdf.joints[1].line, 26);
}

TEST(Urdf, TurnsRollPitchYawAboutFixedAxes) {
  // A turn about fixed x, then y, then z.
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  Eigen::Matrix3d in_origin;
  in_origin << 0.05, 0.001, 0.0, 0.001, 0.04, 0.0, 0.0, 0.0, 0.03;
  const Urdf urdf = walker();
  const Inertia& inertia = urdf.link("pelvis").inertia;
  EXPECT_EQ(inertia.mass, 5.0);
  EXPECT_TRUE(inertia.com.isApprox(Eigen::Vector3d(0.01, 0.0, 0.1), 1e-15));
  EXPECT_TRUE(inertia.about_com.isApprox(R * in_origin * R.transpose(), 1e-14));
}

TEST(Urdf, TakesAQuaternionInsteadOfRollPitchYaw) {
  const double half = 0.25;
  const std::string turned = walker_with(R"(rpy="0 0 0.5")", "quat_xyzw=\"0 0 " + std::to_string(std::sin(half)) + " " +
                                                                 std::to_string(std::cos(half)) + "\"");
  const Urdf by_quaternion = parse_urdf(turned, "t.urdf"), by_angles = walker();
  EXPECT_TRUE(joint_of(by_quaternion, "hip").T_parent_joint.isApprox(joint_of(by_angles, "hip").T_parent_joint, 1e-5));
}

TEST(Urdf, ReadsJointsWithTheirLimits) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Urdf urdf = walker();
  const UrdfJoint& hip = joint_of(urdf, "hip");
  EXPECT_EQ(hip.type, UrdfJoint::Type::revolute);
  EXPECT_EQ(hip.axis, Eigen::Vector3d::UnitY()) << "the axis is made a unit vector";
  EXPECT_EQ(hip.lower, -1.0);
  EXPECT_EQ(hip.upper, 1.5);
  EXPECT_EQ(hip.effort, 80.0);
  EXPECT_EQ(hip.velocity, 6.0);
  EXPECT_FALSE(hip.is_mimic());
  const UrdfJoint& wheel = joint_of(urdf, "wheel");
  EXPECT_EQ(wheel.lower, -infinity);
  EXPECT_EQ(wheel.upper, infinity);
  EXPECT_EQ(wheel.effort, infinity);
  EXPECT_EQ(joint_of(urdf, "finger").mimics, "hip");
  EXPECT_EQ(joint_of(urdf, "finger").mimic_offset, 0.25);
}

TEST(Urdf, NotesWhatIsAssumed) {
  const Urdf urdf = parse_urdf(walker_with(R"( effort="80" velocity="6")", ""), "t.urdf");
  EXPECT_TRUE(std::isinf(joint_of(urdf, "hip").effort));
  ASSERT_EQ(urdf.notes.size(), 2u);
  EXPECT_EQ(urdf.notes[0], "no effort limit is given: taken as unlimited (joint hip, wheel)");
  const Urdf stuck = parse_urdf(walker_with(R"(lower="-1" upper="1.5" effort="80")", R"(effort="0")"), "t.urdf");
  ASSERT_EQ(stuck.notes.size(), 4u);
  EXPECT_NE(stuck.notes[3].find("it cannot move (joint hip)"), std::string::npos);
}

TEST(Urdf, KeepsShapesAndLoadsNothing) {
  const Urdf urdf = walker();
  ASSERT_EQ(urdf.link("pelvis").visuals.size(), 1u);
  const Shape& box = urdf.link("pelvis").visuals[0];
  EXPECT_EQ(box.kind, Shape::Kind::box);
  EXPECT_EQ(box.size, Eigen::Vector3d(0.2, 0.3, 0.1));
  EXPECT_TRUE(box.T_link_shape.isApprox(
      Eigen::Translation3d(0.0, 0.0, 0.1) * Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitZ()), 1e-14));
  EXPECT_EQ(urdf.link("pelvis").collisions.at(0).kind, Shape::Kind::sphere);
  EXPECT_EQ(urdf.link("thigh").visuals.at(0).kind, Shape::Kind::capsule);
  EXPECT_EQ(urdf.link("thigh").visuals.at(0).size.y(), 0.3);
  EXPECT_EQ(urdf.link("shank").visuals.at(0).kind, Shape::Kind::cylinder);
  const Shape& mesh = urdf.link("thigh").collisions.at(0);
  EXPECT_EQ(mesh.mesh_file, "package://walker/thigh.stl");
  EXPECT_EQ(mesh.size, Eigen::Vector3d(1.0, -1.0, 1.0)) << "a negative scale mirrors";
}

TEST(Urdf, SkipsWhatOtherProgramsPutThere) {
  for (const char* element :
       {"<contact/>", "<self_collision_checking/>", "<sensor/>", "<drake:joint/>", "<kinematic>1</kinematic>"}) {
    EXPECT_EQ(complaint(walker_with("<visual>\n      <origin", std::string(element) + "<visual>\n      <origin")), "")
        << element;
  }
  const Urdf urdf = parse_urdf(walker_with(R"(<sphere radius="0.1"/>)", "<plane/>"), "t.urdf");
  EXPECT_TRUE(urdf.link("pelvis").collisions.empty());
  EXPECT_NE(urdf.notes.front().find("unknown shape"), std::string::npos);
}

TEST(Urdf, DoesNotCheckTheAxisAndLimitsOfAFixedJoint) {
  EXPECT_EQ(
      complaint(walker_with(R"(<origin xyz="0.1 0 0.2"/>)", R"(<axis xyz="0 0 0"/><limit lower="1" upper="0"/>)")), "");
}

TEST(Urdf, ReadsAByteOrderMarkAndWindowsLines) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kWalker) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(complaint(text), "");
  EXPECT_EQ(parse_urdf(text, "t.urdf").links[1].line, 20);
}

TEST(Urdf, NamesTheClosestLinkWhenAskedForAnUnknownOne) {
  const Urdf urdf = walker();
  EXPECT_NE(message_of<UnknownName>([&] { urdf.link("thihg"); }).find("closest is 'thigh'"), std::string::npos);
}

TEST(UrdfFile, ThatIsNoFileIsRefused) {
  const ScratchFolder folder;
  EXPECT_NE(message_of<FileError>([&] { read_urdf(folder.path()); }).find("is a directory"), std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { read_urdf(folder.path() / "none.urdf"); }).find("no such file"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { read_urdf("/dev/zero"); }).find("not a regular file"), std::string::npos);
  write_text(folder.path() / "empty.urdf", "");
  EXPECT_NE(message_of<FileError>([&] { read_urdf(folder.path() / "empty.urdf"); }).find("is empty"),
            std::string::npos);
}

class WrittenUrdf : public testing::Test {
 protected:
  const ScratchFolder folder_;
  const std::filesystem::path original_ = folder_.path() / "walker.urdf";
  const std::filesystem::path copy_ = folder_.path() / "copy.urdf";
  void SetUp() override { write_text(original_, kWalker); }
};

TEST_F(WrittenUrdf, GivesBackEveryBitOfTheInertias) {
  RandomNumbers random(11);
  for (int i = 0; i < 50; ++i) {
    std::map<std::string, Inertia> inertias;
    for (const char* link : {"pelvis", "camera", "roll"}) {
      const double scale = std::pow(10.0, random.within(-12.0, 3.0));
      inertias[link] = inertia_of({{scale * random.within(0.1, 1.0), random.vector()}, {scale, random.vector()}});
      inertias[link].about_com.triangularView<Eigen::StrictlyLower>() = inertias[link].about_com.transpose();
    }
    write_urdf_with_inertias(original_, inertias, copy_);
    const Urdf urdf = read_urdf(copy_);
    for (const auto& [link, inertia] : inertias) {
      EXPECT_EQ(urdf.link(link).inertia.mass, inertia.mass);
      EXPECT_EQ(urdf.link(link).inertia.com, inertia.com);
      EXPECT_EQ(urdf.link(link).inertia.about_com, inertia.about_com);
    }
    EXPECT_EQ(urdf.link("thigh").inertia.about_com, walker().link("thigh").inertia.about_com);
  }
}

TEST_F(WrittenUrdf, KeepsEveryOtherByte) {
  write_urdf_with_inertias(original_, {}, copy_);
  EXPECT_EQ(read_text(copy_), kWalker);
  write_urdf_with_inertias(original_, {{"thigh", walker().link("shank").inertia}}, copy_);
  const std::string expected = walker_with(
      "<origin xyz=\"0 0 -0.15\"/>\n      <mass value=\"2\"/>\n"
      "      <inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.004\"/>",
      "<origin xyz=\"0 0 0\" rpy=\"0 0 0\"/>\n      <mass value=\"1\"/>\n"
      "      <inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" izz=\"0.001\"/>");
  EXPECT_EQ(read_text(copy_), expected);
}

TEST_F(WrittenUrdf, MayReplaceItsOriginal) {
  write_urdf_with_inertias(original_, {{"roll", walker().link("shank").inertia}}, original_);
  EXPECT_EQ(read_urdf(original_).link("roll").inertia.mass, 1.0);
}

TEST_F(WrittenUrdf, LeavesNothingBehindWhenItCannotBeWritten) {
  const std::filesystem::path nowhere = folder_.path() / "no" / "such" / "folder.urdf";
  message_of<FileError>([&] { write_urdf_with_inertias(original_, {}, nowhere); });
  std::filesystem::create_directory(copy_);
  write_text(copy_ / "full", "x");
  EXPECT_NE(message_of<FileError>([&] { write_urdf_with_inertias(original_, {}, copy_); }).find("cannot be written"),
            std::string::npos);
  int num_files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) ++num_files;
  EXPECT_EQ(num_files, 3) << "walker.urdf, copy.urdf/ and copy.urdf/full";
}

TEST_F(WrittenUrdf, RefusesWhatNoUrdfMayHold) {
  const Inertia good = walker().link("roll").inertia;
  const auto write = [&](const std::string& link, const Inertia& inertia) {
    return [&, link, inertia] { write_urdf_with_inertias(original_, {{link, inertia}}, copy_); };
  };
  Inertia negative = good, infinite = good, skew = good;
  negative.mass = -1.0;
  infinite.com.x() = std::numeric_limits<double>::quiet_NaN();
  skew.about_com(0, 1) = 1.0;
  for (const Inertia& bad : {negative, infinite, skew}) {
    EXPECT_NE(message_of<InvalidValue>(write("roll", bad)).find("link 'roll'"), std::string::npos);
  }
  EXPECT_NE(message_of<UnknownName>(write("role", good)).find("closest is 'roll'"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(copy_));
}

}  // namespace
}  // namespace aplomb::test
