#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/human/subject/osim_reader.hpp"
#include "aplomb/human/subject/osim_text.hpp"
#include "aplomb/robot/dynamics/inertia.hpp"
#include "human/synthetic_subject.hpp"

namespace aplomb {
namespace {

SubjectModel read_back(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("aplomb_osim_test_{}.osim", ::getpid());
  std::filesystem::remove(file);
  write_file(file, text);
  struct Remover {
    const std::filesystem::path& file;
    ~Remover() { std::filesystem::remove(file); }
  } remover{file};
  return read_osim(file);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Mass, CoM and inertia of the whole body in the neutral posture, about the pelvis.
Inertia whole_of(const Skeleton& skeleton) {
  Inertia sum;
  for (std::size_t k = 0; k < skeleton.segments.size(); ++k) {
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    T.translation() = skeleton.neutral_origin(static_cast<int>(k));
    const Inertia inertia = transformed(T, skeleton.segments[k].inertia);
    sum = k == 0 ? inertia : joined(sum, inertia);
  }
  return sum;
}

/// The same body with the pelvis' origin at mid-hip, where a model of others has no other origin for it.
SubjectModel from_mid_hip(SubjectModel subject) {
  Skeleton& skeleton = subject.skeleton;
  const auto hip = [&](const char* name) {
    return skeleton.segments[static_cast<std::size_t>(skeleton.segment(name))].joint;
  };
  const Eigen::Vector3d middle = 0.5 * (hip("left_thigh") + hip("right_thigh"));
  skeleton.segments[0].inertia.com -= middle;
  for (Segment& segment : skeleton.segments) {
    if (segment.parent == 0) segment.joint -= middle;
  }
  for (BodyMarker& marker : subject.markers) {
    if (marker.segment == 0) marker.offset -= middle;
  }
  return subject;
}

void expect_same_body(const SubjectModel& found, const SubjectModel& wanted, double tolerance) {
  ASSERT_EQ(found.skeleton.segments.size(), wanted.skeleton.segments.size());
  for (std::size_t k = 0; k < found.skeleton.segments.size(); ++k) {
    const Segment &a = found.skeleton.segments[k], &b = wanted.skeleton.segments[k];
    EXPECT_LT((a.joint - b.joint).norm(), tolerance) << a.name;
    EXPECT_NEAR(a.inertia.mass, b.inertia.mass, tolerance) << a.name;
    EXPECT_LT((a.inertia.com - b.inertia.com).norm(), tolerance) << a.name;
    EXPECT_LT((a.inertia.about_com - b.inertia.about_com).norm(), tolerance) << a.name;
  }
  ASSERT_EQ(found.markers.size(), wanted.markers.size());
  for (std::size_t i = 0; i < found.markers.size(); ++i) {
    EXPECT_EQ(found.markers[i].label, wanted.markers[i].label);
    EXPECT_EQ(found.markers[i].segment, wanted.markers[i].segment) << found.markers[i].label;
    EXPECT_LT((found.markers[i].offset - wanted.markers[i].offset).norm(), tolerance) << found.markers[i].label;
  }
}

SubjectModel synthetic() {
  return from_mid_hip(
      test::SyntheticSubject(test::set_named("opencap_study"), 1.82, /*seed=*/5, /*noise_m=*/0.0, /*frames=*/2)
          .subject);
}

TEST(Osim, OfASubjectIsReadBackAsTheSameBody) {
  const SubjectModel subject = synthetic();
  expect_same_body(read_back(osim_text(subject)), subject, 1e-9);
}

TEST(Osim, WithTheNamesOfOthersIsTheSameBody) {
  const SubjectModel subject = synthetic();
  std::string text = osim_text(subject);
  for (const char* side : {"left", "right"}) {
    const std::string letter(1, side[0]);
    for (const auto& [ours, theirs] : {std::pair{"thigh", "femur"},
                                       {"shank", "tibia"},
                                       {"foot", "talus"},
                                       {"upper_arm", "humerus"},
                                       {"forearm", "ulna"},
                                       {"hand", "hand"}}) {
      text = replaced(text, fmt::format("{}_{}", side, ours), fmt::format("{}_{}", theirs, letter));
    }
  }
  expect_same_body(read_back(text), subject, 1e-9);
}

TEST(Osim, OfAKneeThatSlidesHasItsJointWhereItIsWhenStraight) {
  const SubjectModel subject = synthetic();
  std::string text = osim_text(subject);
  const std::size_t shank = text.find("<CustomJoint name=\"left_shank_joint\">");
  const std::size_t slide = text.find("<Constant name=\"function\"><value>0</value></Constant>",
                                      text.find("TransformAxis name=\"translation1\"", shank));
  const std::string constant = "<Constant name=\"function\"><value>0</value></Constant>";
  text.replace(slide, constant.size(), "<SimmSpline><x>-2 -1 1 2</x><y>0.1 0.02 0 0.1</y></SimmSpline>");
  const SubjectModel found = read_back(text);
  const auto joint = [&](const SubjectModel& of) {
    return of.skeleton.segments[static_cast<std::size_t>(of.skeleton.segment("left_shank"))].joint;
  };
  EXPECT_LT((joint(found) - joint(subject) - Eigen::Vector3d(0.01, 0.0, 0.0)).norm(), 1e-9);
  // Foot and marker places move along.
  EXPECT_NEAR(found.skeleton.neutral_origin(found.skeleton.segment("left_foot")).x() -
                  subject.skeleton.neutral_origin(subject.skeleton.segment("left_foot")).x(),
              0.01, 1e-9);
}

/// A model without arms and head, whose trunk is one body.
std::string legs_and_torso(const std::string& torso_name = "torso") {
  std::string bodies, joints, markers;
  const auto body = [&](const std::string& name, double mass, const std::string& com) {
    bodies += fmt::format(
        "<Body name=\"{}\"><mass>{}</mass><mass_center>{}</mass_center><inertia>0.1 0.1 0.1 0 0 0</inertia></Body>",
        name, mass, com);
  };
  const auto joint = [&](const std::string& kind, const std::string& parent, const std::string& child,
                         const std::string& at) {
    joints += fmt::format(
        "<{0} name=\"{2}_joint\"><socket_parent_frame>parent</socket_parent_frame>"
        "<socket_child_frame>child</socket_child_frame><frames><PhysicalOffsetFrame name=\"parent\"><socket_parent>{1}"
        "</socket_parent><translation>{3}</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame>"
        "<PhysicalOffsetFrame name=\"child\"><socket_parent>/bodyset/{2}</socket_parent><translation>0 0 "
        "0</translation>"
        "<orientation>0 0 0</orientation></PhysicalOffsetFrame></frames></{0}>",
        kind, parent == "ground" ? "/ground" : "/bodyset/" + parent, child, at);
  };
  const auto marker = [&](const std::string& name, const std::string& on, const std::string& at) {
    markers += fmt::format(
        "<Marker name=\"{}\"><socket_parent_frame>/bodyset/{}</socket_parent_frame><location>{}</location></Marker>",
        name, on, at);
  };
  body("pelvis", 11.0, "-0.05 0 0");
  joint("FreeJoint", "ground", "pelvis", "0 0 0");
  body(torso_name, 36.0, "-0.02 0.3 0.01");
  joint("BallJoint", "pelvis", torso_name, "-0.1 0.08 0");
  marker("C7", torso_name, "-0.08 0.45 0");
  for (const auto& [letter, sign] : {std::pair{"l", -1.0}, {"r", 1.0}}) {
    body(fmt::format("femur_{}", letter), 9.0, "0 -0.17 0");
    body(fmt::format("patella_{}", letter), 0.1, "0 0 0");
    body(fmt::format("tibia_{}", letter), 3.5, "0 -0.18 0");
    body(fmt::format("talus_{}", letter), 0.1, "0 0 0");
    body(fmt::format("calcn_{}", letter), 1.2, "0.1 0.03 0");
    joint("BallJoint", "pelvis", fmt::format("femur_{}", letter), fmt::format("-0.06 -0.08 {}", 0.08 * sign));
    joint("PinJoint", fmt::format("femur_{}", letter), fmt::format("tibia_{}", letter), "0 -0.41 0");
    joint("PinJoint", fmt::format("femur_{}", letter), fmt::format("patella_{}", letter), "0.04 -0.4 0");
    joint("PinJoint", fmt::format("tibia_{}", letter), fmt::format("talus_{}", letter), "0 -0.42 0");
    joint("WeldJoint", fmt::format("talus_{}", letter), fmt::format("calcn_{}", letter), "-0.05 -0.04 0");
    marker(fmt::format("{}ASI", letter), "pelvis", fmt::format("0.02 0.02 {}", 0.12 * sign));
    marker(fmt::format("{}KNE", letter), fmt::format("femur_{}", letter), fmt::format("0 -0.41 {}", 0.05 * sign));
    marker(fmt::format("{}ANK", letter), fmt::format("tibia_{}", letter), fmt::format("0 -0.42 {}", 0.04 * sign));
  }
  return "<OpenSimDocument Version=\"40000\"><Model name=\"m\"><BodySet><objects>" + bodies +
         "</objects></BodySet><JointSet><objects>" + joints + "</objects></JointSet><MarkerSet><objects>" + markers +
         "</objects></MarkerSet></Model></OpenSimDocument>";
}

TEST(Osim, WithoutArmsAndHeadKeepsMassAndCentreOfMass) {
  const SubjectModel subject = read_back(legs_and_torso());
  const Inertia whole = whole_of(subject.skeleton);
  EXPECT_NEAR(whole.mass, 11.0 + 36.0 + 2.0 * (9.0 + 0.1 + 3.5 + 0.1 + 1.2), 1e-9);
  EXPECT_NEAR(subject.skeleton.mass, whole.mass, 1e-9);
  // By hand, about mid-hip, in our axes (x forward, y left, z up).
  const double mass = whole.mass;
  const double x = (11.0 * 0.01 + 36.0 * (-0.1 - 0.02 + 0.06) + 2.0 * (0.1 * 0.04 + 1.2 * 0.05)) / mass;
  const double z = (11.0 * 0.08 + 36.0 * (0.08 + 0.3 + 0.08) +
                    2.0 * (9.0 * -0.17 + 0.1 * -0.4 + 3.5 * -0.59 + 0.1 * -0.83 + 1.2 * (-0.83 - 0.04 + 0.03))) /
                   mass;
  EXPECT_NEAR(whole.com.x(), x, 1e-9);
  EXPECT_NEAR(whole.com.y(), -36.0 * 0.01 / mass, 1e-9);
  EXPECT_NEAR(whole.com.z(), z, 1e-9);
  for (const Segment& segment : subject.skeleton.segments) EXPECT_GT(segment.inertia.mass, 0.0) << segment.name;
  const Eigen::Vector3d ankle = subject.skeleton.neutral_origin(subject.skeleton.segment("right_foot"));
  EXPECT_LT((ankle - Eigen::Vector3d(0.0, -0.08, -0.83)).norm(), 1e-9);
  EXPECT_EQ(subject.markers.size(), 7u);
  EXPECT_EQ(subject.skeleton.segments[static_cast<std::size_t>(subject.markers[0].segment)].name, "thorax");
}

TEST(Osim, ThatIsNoModelOfAPersonIsRefused) {
  const std::string good = legs_and_torso();
  for (const std::string& text :
       {std::string("no xml"), std::string("<robot/>"), replaced(good, "40000", "30000"),
        replaced(good, "femur_l", "stick"), legs_and_torso("box"), replaced(good, "0 -0.41 0", "0 -0.41"),
        replaced(good, "0 -0.41 0", "0 far 0"), replaced(good, "<mass>36</mass>", "<mass>-36</mass>"),
        replaced(good, "/bodyset/pelvis", "/bodyset/nobody"), replaced(good, "0 -0.42 0", "0 900 0"),
        replaced(good, "<Marker ", "<Other ")}) {
    EXPECT_THROW(read_back(text), FileError) << text.substr(0, 60);
  }
}

}  // namespace
}  // namespace aplomb
