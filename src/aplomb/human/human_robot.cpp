#include "aplomb/human/human_robot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/human/skeleton/skeleton_plan.hpp"

namespace aplomb {
namespace {

std::string triple(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0); }

std::string inertial(const Inertia& inertia) {
  if (inertia.mass == 0.0) return "";
  const Eigen::Matrix3d& I = inertia.about_com;
  return fmt::format(
      "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n"
      "      <inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/>\n    </inertial>\n",
      triple(inertia.com), inertia.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
}

/// Visual shape of a segment: a capsule-like bone from its joint to the next one.
std::string bone(const Skeleton& skeleton, int index) {
  std::string text;
  for (const Segment& child : skeleton.segments) {
    if (child.parent != index || child.joint.norm() < 0.03) continue;
    const Eigen::Vector3d middle = 0.5 * child.joint;
    const Eigen::Quaterniond turn = turn_between(Eigen::Vector3d::UnitZ(), child.joint);
    const Eigen::Vector3d rpy = turn.toRotationMatrix().eulerAngles(2, 1, 0).reverse();
    text += fmt::format(
        "    <visual>\n      <origin xyz=\"{}\" rpy=\"{}\"/>\n"
        "      <geometry><cylinder radius=\"{}\" length=\"{}\"/></geometry>\n    </visual>\n",
        triple(middle), triple(rpy), 0.02, child.joint.norm());
  }
  return text;
}

std::string joint_text(const Coordinate& angle, const std::string& parent, const std::string& child,
                       const Eigen::Vector3d& at, bool has_mimics) {
  std::string mimic;
  if (has_mimics && !angle.follows.empty()) {
    mimic = fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\"/>\n", angle.follows, angle.ratio);
  }
  return fmt::format(
      "  <joint name=\"{}\" type=\"revolute\">\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n"
      "    <origin xyz=\"{}\"/>\n    <axis xyz=\"{}\"/>\n"
      "    <limit lower=\"{}\" upper=\"{}\" effort=\"1000\" velocity=\"50\"/>\n{}  </joint>\n",
      angle.name, parent, child, triple(at), triple(angle.axis), angle.lower, angle.upper, mimic);
}

/// The model is passed on as a URDF in memory, whose errors would name a file that nobody has.
void require_finite(const Skeleton& skeleton) {
  for (const Segment& segment : skeleton.segments) {
    const Inertia& inertia = segment.inertia;
    if (segment.joint.allFinite() && segment.scale.allFinite() && std::isfinite(inertia.mass) &&
        inertia.com.allFinite() && inertia.about_com.allFinite()) {
      continue;
    }
    throw InvalidValue(fmt::format(
        "the subject's {} has a size of {} times the mean body's and a mass of {} kg: check mass, height and markers",
        segment.name, segment.scale.x(), inertia.mass));
  }
}

Sole sole_of(const Segment& foot) {
  return {.x_min = kGenericHeel * foot.scale.x(),
          .x_max = kGenericToe * foot.scale.x(),
          .y_min = -0.045 * foot.scale.y(),
          .y_max = 0.045 * foot.scale.y(),
          .z = -kGenericAnkleHeight * foot.scale.z()};
}

}  // namespace

std::string skeleton_urdf(const Skeleton& skeleton, bool has_mimics) {
  std::string text = "<?xml version=\"1.0\"?>\n<robot name=\"human\">\n";
  for (std::size_t i = 0; i < skeleton.segments.size(); ++i) {
    const Segment& segment = skeleton.segments[i];
    std::string above = segment.parent < 0 ? "" : skeleton.segments[static_cast<std::size_t>(segment.parent)].name;
    for (std::size_t k = 0; k < segment.coordinates.size(); ++k) {
      const Coordinate& angle = segment.coordinates[k];
      const bool is_last = k + 1 == segment.coordinates.size();
      const std::string below = is_last ? segment.name : fmt::format("{}__{}", segment.name, angle.name);
      if (!is_last) text += fmt::format("  <link name=\"{}\"/>\n", below);
      text += joint_text(angle, above, below, k == 0 ? segment.joint : Eigen::Vector3d::Zero(), has_mimics);
      above = below;
    }
    text += fmt::format("  <link name=\"{}\">\n{}{}  </link>\n", segment.name, inertial(segment.inertia),
                        bone(skeleton, static_cast<int>(i)));
  }
  return text + "</robot>\n";
}

RobotModel human_robot(const Skeleton& skeleton) {
  require_finite(skeleton);
  RobotDescription description;
  description.name = "human";
  const bool is_light = skeleton.size == SkeletonSize::light;
  description.roles.pelvis = "pelvis";
  description.roles.trunk = is_light ? "thorax" : "T5";
  description.roles.head = is_light ? "head" : "skull";
  description.roles.foot = {"left_foot", "right_foot"};
  description.roles.hand = {"left_hand", "right_hand"};
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = skeleton.segment(description.roles.foot[side]);
    description.soles[side] = sole_of(skeleton.segments[static_cast<std::size_t>(foot)]);
  }
  return RobotModel(parse_urdf(skeleton_urdf(skeleton, /*has_mimics=*/false), "human.urdf"), std::move(description));
}

std::vector<int> segment_bodies(const Skeleton& skeleton, const RobotModel& robot) {
  std::vector<int> bodies;
  for (const Segment& segment : skeleton.segments) {
    bodies.push_back(segment.coordinates.empty() ? 0 : 1 + robot.joint(segment.coordinates.back().name));
  }
  return bodies;
}

}  // namespace aplomb
