#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/urdf/urdf_reader.hpp"

namespace aplomb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kShortestAxis = 1e-6;  // shorter has lost its direction to rounding

Inertia read_inertial(const UrdfElement& inertial) {
  inertial.check_spelling({}, {"origin", "mass", "inertia"});
  const UrdfElement mass = inertial.required_child("mass");
  const UrdfElement moments = inertial.required_child("inertia");
  mass.check_spelling({"value"}, {});
  moments.check_spelling({"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
  Inertia in_origin{.mass = mass.quantity("value")};
  if (in_origin.mass < 0.0) mass.refuse(fmt::format("mass is {} kg; it must not be negative", in_origin.mass));
  const double xx = moments.quantity("ixx"), xy = moments.quantity("ixy"), xz = moments.quantity("ixz");
  const double yy = moments.quantity("iyy"), yz = moments.quantity("iyz"), zz = moments.quantity("izz");
  in_origin.about_com << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return transformed(inertial.pose(), in_origin);
}

UrdfJoint::Type read_type(const UrdfElement& element) {
  static const std::array<std::string, 6> kTypes = {"revolute", "continuous", "prismatic",
                                                    "fixed",    "floating",   "planar"};
  const std::string text = element.text("type");
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (text == kTypes[i]) return static_cast<UrdfJoint::Type>(i);
  }
  element.refuse(fmt::format("joint type is '{}'; {}", shown(text), suggestion(shown(text), kTypes)));
}

std::string read_end(const UrdfElement& joint, const char* tag) {
  const UrdfElement end = joint.required_child(tag);
  end.check_spelling({"link"}, {});
  return end.name("link");
}

void read_axis(const UrdfElement& element, UrdfJoint& joint) {
  const std::optional<UrdfElement> axis = element.child("axis");
  if (!axis) return;  // the x axis, says the URDF specification
  axis->check_spelling({"xyz"}, {});
  const Eigen::Vector3d direction = axis->vector("xyz");
  // Exporters write a zero axis for fixed and floating joints, which have none.
  if (joint.type == UrdfJoint::Type::fixed || joint.type == UrdfJoint::Type::floating) return;
  if (direction.norm() < kShortestAxis) axis->refuse("the axis is zero; it must point somewhere, as in xyz=\"0 0 1\"");
  joint.axis = direction.normalized();
}

void check_limit(const UrdfElement& limit, const UrdfJoint& joint) {
  if (joint.lower > joint.upper) {
    limit.refuse(fmt::format("lower limit {} is above upper limit {}", joint.lower, joint.upper));
  }
  if (joint.effort < 0.0) limit.refuse(fmt::format("effort limit is {}; it must not be negative", joint.effort));
  if (joint.velocity < 0.0) limit.refuse(fmt::format("velocity limit is {}; it must not be negative", joint.velocity));
}

void read_limit(const UrdfElement& element, UrdfJoint& joint) {
  const bool has_range = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
  const std::optional<UrdfElement> limit = element.child("limit");
  if (!limit && has_range) {
    element.refuse(
        "a revolute or prismatic joint needs a <limit lower= upper= effort= velocity=>"
        " (a joint that turns without end is of type continuous)");
  }
  joint.effort = joint.velocity = kInfinity;
  if (limit) {
    limit->check_spelling({"lower", "upper", "effort", "velocity"}, {});
    joint.lower = limit->number_or("lower", 0.0);
    joint.upper = limit->number_or("upper", 0.0);
    joint.effort = limit->number_or("effort", kInfinity);
    joint.velocity = limit->number_or("velocity", kInfinity);
    if (joint.type != UrdfJoint::Type::fixed) check_limit(*limit, joint);
  }
  if (!has_range) {
    joint.lower = -kInfinity;
    joint.upper = kInfinity;
  }
}

void read_mimic(const UrdfElement& element, UrdfJoint& joint) {
  const std::optional<UrdfElement> mimic = element.child("mimic");
  if (!mimic) return;
  mimic->check_spelling({"joint", "multiplier", "offset"}, {});
  joint.mimics = mimic->name("joint");
  mimic->number_or("multiplier", 1.0);
  joint.mimic_offset = mimic->has("offset") ? mimic->quantity("offset") : 0.0;
  if (joint.mimics == joint.name) mimic->refuse("a joint cannot mimic itself");
}

/// Damping and friction are not used, but a negative one would feed energy into any robot that did.
void check_dynamics(const UrdfElement& element) {
  const std::optional<UrdfElement> dynamics = element.child("dynamics");
  if (!dynamics) return;
  dynamics->check_spelling({"damping", "friction"}, {});
  for (const char* attribute : {"damping", "friction"}) {
    const double value = dynamics->number_or(attribute, 0.0);
    if (value < 0.0) dynamics->refuse(fmt::format("{} is {}; it must not be negative", attribute, value));
  }
}

}  // namespace

UrdfLink read_link(const UrdfElement& unnamed, std::vector<std::string>& notes) {
  UrdfLink link;
  link.name = unnamed.name("name");
  link.line = unnamed.line();
  const std::string owner = fmt::format("link '{}'", link.name);
  const UrdfElement element = unnamed.owned_by(owner);
  element.check_spelling({"name"}, {"inertial", "visual", "collision"});
  if (const std::optional<UrdfElement> inertial = element.child("inertial")) {
    link.inertial_line = inertial->line();
    link.inertia = read_inertial(*inertial);
  }
  const std::size_t first_note = notes.size();
  link.visuals = read_shapes(element, "visual", notes);
  link.collisions = read_shapes(element, "collision", notes);
  for (std::size_t i = first_note; i < notes.size(); ++i) notes[i] = fmt::format("{}, {}", owner, notes[i]);
  return link;
}

UrdfJoint read_joint(const UrdfElement& unnamed) {
  UrdfJoint joint;
  joint.name = unnamed.name("name");
  joint.line = unnamed.line();
  const std::string owner = fmt::format("joint '{}'", joint.name);
  const UrdfElement element = unnamed.owned_by(owner);
  element.check_spelling({"name", "type"}, {"parent", "child", "origin", "axis", "limit", "mimic", "dynamics",
                                            "safety_controller", "calibration"});
  joint.type = read_type(element);
  joint.parent = read_end(element, "parent");
  joint.child = read_end(element, "child");
  if (joint.parent == joint.child) element.refuse(fmt::format("parent and child are both link '{}'", joint.parent));
  joint.T_parent_joint = element.pose();
  read_axis(element, joint);
  read_limit(element, joint);
  read_mimic(element, joint);
  check_dynamics(element);
  return joint;
}

}  // namespace aplomb
