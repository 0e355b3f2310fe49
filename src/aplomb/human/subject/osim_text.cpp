#include "aplomb/human/subject/osim_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// From our axes (x forward, y left, z up) to OpenSim's (x forward, y up, z right).
Eigen::Matrix3d R_osim_ours() {
  Eigen::Matrix3d R;
  R << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
  return R;
}

std::string triple(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0); }

std::string in_osim(const Eigen::Vector3d& ours) { return triple(R_osim_ours() * ours); }

/// A label as the name of a component: OpenSim accepts no spaces, slashes, quotes or mathematical signs.
std::string component_name(const std::string& label, std::set<std::string>& taken) {
  std::string name;
  for (const char letter : label) {
    const bool is_accepted = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.' ||
                             letter == '-' || letter == ':';
    name.push_back(is_accepted ? letter : '_');
  }
  if (name.empty()) name = "marker";
  const std::string base = name;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

std::string body(const Segment& segment) {
  const Eigen::Matrix3d R = R_osim_ours();
  const Eigen::Matrix3d I = R * segment.inertia.about_com * R.transpose();
  return fmt::format(
      "        <Body name=\"{}\">\n          <mass>{}</mass>\n          <mass_center>{}</mass_center>\n"
      "          <inertia>{} {} {} {} {} {}</inertia>\n        </Body>\n",
      segment.name, segment.inertia.mass, in_osim(segment.inertia.com), I(0, 0), I(1, 1), I(2, 2), I(0, 1) + 0.0,
      I(0, 2) + 0.0, I(1, 2) + 0.0);
}

/// One of a joint's six axes; without a coordinate it does not move.
struct TransformAxis {
  std::string coordinate;
  Eigen::Vector3d axis;  ///< in our axes
};

std::string transform_axis(const char* kind, std::size_t number, const TransformAxis& one) {
  const std::string function =
      one.coordinate.empty() ? "<Constant name=\"function\"><value>0</value></Constant>"
                             : "<LinearFunction name=\"function\"><coefficients>1 0</coefficients></LinearFunction>";
  return fmt::format(
      "            <TransformAxis name=\"{}{}\">\n              <coordinates>{}</coordinates>\n"
      "              <axis>{}</axis>\n              {}\n            </TransformAxis>\n",
      kind, number, one.coordinate, in_osim(one.axis), function);
}

struct Range {
  std::string name;
  double lower = 0.0, upper = 0.0;
};

std::string joint(const std::string& parent, const Segment& segment, const std::array<TransformAxis, 3>& turns,
                  const std::array<TransformAxis, 3>& shifts, const std::vector<Range>& coordinates) {
  const std::string parent_frame = parent == "/ground" ? "ground_offset" : "parent_offset";
  std::string text = fmt::format(
      "        <CustomJoint name=\"{0}_joint\">\n          <socket_parent_frame>{1}</socket_parent_frame>\n"
      "          <socket_child_frame>child_offset</socket_child_frame>\n          <coordinates>\n",
      segment.name, parent_frame);
  for (const Range& one : coordinates) {
    text += fmt::format(
        "            <Coordinate name=\"{}\">\n              <default_value>0</default_value>\n"
        "              <range>{} {}</range>\n              <clamped>false</clamped>\n            </Coordinate>\n",
        one.name, one.lower, one.upper);
  }
  text += "          </coordinates>\n          <frames>\n";
  const auto frame = [&](const std::string& name, const std::string& on, const Eigen::Vector3d& at) {
    text += fmt::format(
        "            <PhysicalOffsetFrame name=\"{}\">\n              <socket_parent>{}</socket_parent>\n"
        "              <translation>{}</translation>\n              <orientation>0 0 0</orientation>\n"
        "            </PhysicalOffsetFrame>\n",
        name, on, in_osim(at));
  };
  frame(parent_frame, parent, segment.joint);
  frame("child_offset", "/bodyset/" + segment.name, Eigen::Vector3d::Zero());
  text += "          </frames>\n          <SpatialTransform>\n";
  for (std::size_t i = 0; i < 3; ++i) text += transform_axis("rotation", i + 1, turns[i]);
  for (std::size_t i = 0; i < 3; ++i) text += transform_axis("translation", i + 1, shifts[i]);
  return text + "          </SpatialTransform>\n        </CustomJoint>\n";
}

std::array<TransformAxis, 3> unmoved() {
  return {{{"", Eigen::Vector3d::UnitX()}, {"", Eigen::Vector3d::UnitY()}, {"", Eigen::Vector3d::UnitZ()}}};
}

/// The root moves as the columns of angles.mot say: R = R_z(rotation) R_y(tilt) R_x(list).
std::string root_joint(const Segment& root) {
  constexpr double kFar = 10.0, kTurn = std::numbers::pi;  // [m], [rad]
  const std::array<TransformAxis, 3> turns{{{"pelvis_rotation", Eigen::Vector3d::UnitZ()},
                                            {"pelvis_tilt", Eigen::Vector3d::UnitY()},
                                            {"pelvis_list", Eigen::Vector3d::UnitX()}}};
  const std::array<TransformAxis, 3> shifts{{{"pelvis_tx", Eigen::Vector3d::UnitX()},
                                             {"pelvis_ty", Eigen::Vector3d::UnitY()},
                                             {"pelvis_tz", Eigen::Vector3d::UnitZ()}}};
  std::vector<Range> ranges;
  for (const TransformAxis& turn : turns) ranges.push_back({turn.coordinate, -kTurn, kTurn});
  for (const TransformAxis& shift : shifts) ranges.push_back({shift.coordinate, -kFar, kFar});
  return joint("/ground", root, turns, shifts, ranges);
}

/// Axes of the joint's angles, and what is left of three independent ones.
std::array<TransformAxis, 3> turns_of(const Segment& segment) {
  std::array<TransformAxis, 3> turns = unmoved();
  std::array<Eigen::Vector3d, 3> axes;
  const std::size_t count = segment.coordinates.size();
  for (std::size_t i = 0; i < count; ++i) {
    axes[i] = segment.coordinates[i].axis;
    turns[i] = {segment.coordinates[i].name, axes[i]};
  }
  for (std::size_t i = count; i < 3; ++i) {
    axes[i] = i == 2 ? Eigen::Vector3d(axes[0].cross(axes[1]).normalized()) : axes[0].unitOrthogonal();
    turns[i] = {"", axes[i]};
  }
  return turns;
}

std::string segment_joint(const Skeleton& skeleton, const Segment& segment) {
  std::vector<Range> ranges;
  for (const Coordinate& angle : segment.coordinates) ranges.push_back({angle.name, angle.lower, angle.upper});
  return joint("/bodyset/" + skeleton.segments[static_cast<std::size_t>(segment.parent)].name, segment,
               turns_of(segment), unmoved(), ranges);
}

std::string coupler(const Coordinate& angle) {
  return fmt::format(
      "        <CoordinateCouplerConstraint name=\"{0}_follows\">\n"
      "          <independent_coordinate_names>{1}</independent_coordinate_names>\n"
      "          <dependent_coordinate_name>{0}</dependent_coordinate_name>\n"
      "          <coupled_coordinates_function>\n            <LinearFunction><coefficients>{2} 0</coefficients>"
      "</LinearFunction>\n          </coupled_coordinates_function>\n        </CoordinateCouplerConstraint>\n",
      angle.name, angle.follows, angle.ratio);
}

std::string set_of(const char* kind, const char* name, const std::string& objects) {
  return fmt::format("    <{0} name=\"{1}\">\n      <objects>\n{2}      </objects>\n    </{0}>\n", kind, name, objects);
}

}  // namespace

std::string osim_text(const SubjectModel& subject) {
  const Skeleton& skeleton = subject.skeleton;
  std::string bodies, joints, constraints, markers;
  for (const Segment& segment : skeleton.segments) {
    bodies += body(segment);
    joints += segment.parent < 0 ? root_joint(segment) : segment_joint(skeleton, segment);
    for (const Coordinate& angle : segment.coordinates) {
      if (!angle.follows.empty()) constraints += coupler(angle);
    }
  }
  std::set<std::string> taken;
  for (const BodyMarker& marker : subject.markers) {
    markers += fmt::format(
        "        <Marker name=\"{}\">\n          <socket_parent_frame>/bodyset/{}</socket_parent_frame>\n"
        "          <location>{}</location>\n          <fixed>true</fixed>\n        </Marker>\n",
        component_name(marker.label, taken), skeleton.segments[static_cast<std::size_t>(marker.segment)].name,
        in_osim(marker.offset));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSimDocument Version=\"40000\">\n  <Model name=\"human\">\n"
      "    <gravity>0 {} 0</gravity>\n    <length_units>meters</length_units>\n    <force_units>N</force_units>\n"
      "{}{}{}{}  </Model>\n</OpenSimDocument>\n",
      -kGravity, set_of("BodySet", "bodyset", bodies), set_of("JointSet", "jointset", joints),
      constraints.empty() ? "" : set_of("ConstraintSet", "constraintset", constraints),
      set_of("MarkerSet", "markerset", markers));
}

}  // namespace aplomb
