#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/package_path.hpp"
#include "aplomb/robot/urdf/urdf.hpp"
#include "aplomb/robot/urdf/urdf_structure.hpp"
#include "aplomb/robot/urdf/urdf_xml.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

/// Advice for a file of another format, by its root element.
std::string advice_for(std::string_view root) {
  if (root == "mujoco") {
    return "this is MJCF (MuJoCo's format), and a URDF is needed here";
  }
  if (root == "sdf" || root == "gazebo") {
    return "this is SDF (Gazebo's format); aplomb reads URDF: take the URDF that it was made from, or convert the file";
  }
  return fmt::format("the root element is <{}>; a URDF has <robot name=\"...\">", shown(root));
}

/// Rejects text that could exhaust the XML parser, and files of other formats.
void check_text(std::string_view text, const std::string& file) {
  check_is_text(text, file);
  XmlScanner scanner(text, file);
  bool has_root = false;
  while (const std::optional<XmlTag> tag = scanner.next()) {
    if (tag->kind == XmlTag::Kind::close) continue;
    if (!has_root && tag->name != "robot") throw FileError({file, tag->line}, advice_for(tag->name));
    has_root = true;
    if (tag->name.starts_with("xacro:")) {
      throw FileError({file, tag->line}, fmt::format("<{}>: this is xacro, from which a URDF is made; run xacro first "
                                                     "(`xacro in.xacro > out.urdf`)",
                                                     shown(tag->name)));
    }
  }
  if (!has_root) throw FileError({file}, "has no element; a URDF starts with <robot name=\"...\">");
}

double positive(const UrdfElement& shape, const char* attribute) {
  const double value = shape.quantity(attribute);
  if (!(value > 0.0)) {
    shape.refuse(fmt::format("<{}> {} is {}; it must be above zero", shape.tag(), attribute, value));
  }
  return value;
}

Shape read_box(const UrdfElement& element) {
  element.check_spelling({"size"}, {});
  Shape shape;
  shape.kind = Shape::Kind::box;
  shape.size = element.vector("size");
  if (!(shape.size.minCoeff() > 0.0)) element.refuse("<box> size must be three edges above zero");
  return shape;
}

Shape read_sphere(const UrdfElement& element) {
  element.check_spelling({"radius"}, {});
  Shape shape;
  shape.kind = Shape::Kind::sphere;
  shape.size.x() = positive(element, "radius");
  return shape;
}

Shape read_round(const UrdfElement& element, Shape::Kind kind) {
  element.check_spelling({"radius", "length"}, {});
  Shape shape;
  shape.kind = kind;
  shape.size.x() = positive(element, "radius");
  shape.size.y() = positive(element, "length");
  return shape;
}

Shape read_mesh(const UrdfElement& element) {
  element.check_spelling({"filename", "scale"}, {});
  Shape shape;
  shape.kind = Shape::Kind::mesh;
  shape.mesh_file = element.text("filename");
  shape.size = element.has("scale") ? element.vector("scale") : Eigen::Vector3d::Ones();
  // A negative scale mirrors the mesh: common when left and right parts share one file.
  if (!(shape.size.cwiseAbs().minCoeff() > 0.0)) element.refuse("<mesh> scale has a zero; the mesh would be flat");
  return shape;
}

/// The shape of a <geometry>; absent when aplomb does not know its kind.
std::optional<Shape> read_geometry(const UrdfElement& geometry) {
  geometry.check_spelling({}, {"box", "sphere", "cylinder", "capsule", "mesh"});
  const std::vector<UrdfElement> kinds = geometry.children();
  if (kinds.empty()) geometry.refuse("<geometry> is empty; valid: box, sphere, cylinder, capsule, mesh");
  if (kinds.size() > 1) kinds[1].refuse("a second shape in one <geometry>; write one <visual> or <collision> for each");
  const UrdfElement& element = kinds.front();
  const std::string tag = element.tag();
  if (tag == "box") return read_box(element);
  if (tag == "sphere") return read_sphere(element);
  if (tag == "cylinder") return read_round(element, Shape::Kind::cylinder);
  if (tag == "capsule") return read_round(element, Shape::Kind::capsule);
  if (tag == "mesh") return read_mesh(element);
  return std::nullopt;
}

/// Shapes of a link's <visual> or <collision> elements; an unknown kind of shape is ignored, with a note.
std::vector<Shape> read_shapes(const UrdfElement& link, const char* tag, std::vector<std::string>& notes) {
  std::vector<Shape> shapes;
  for (const UrdfElement& element : link.children()) {
    if (element.tag() != tag) continue;
    element.check_spelling({"name"}, {"origin", "geometry", "material"});
    const Eigen::Isometry3d pose = element.pose();
    std::optional<Shape> shape = read_geometry(element.required_child("geometry"));
    if (shape) {
      shape->T_link_shape = pose;
      shapes.push_back(*shape);
    } else {
      notes.push_back(fmt::format("line {}: a <{}> of unknown shape is left out", element.line(), tag));
    }
  }
  return shapes;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kShortestAxis = 1e-6;  // least length of an axis; the direction of a shorter one is rounding

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
  if (!axis) return;  // the default of the URDF specification is the x axis
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

/// Refuses negative damping or friction: both are unused here, but negative values are unphysical. Reads armature.
void read_dynamics(const UrdfElement& element, UrdfJoint& joint) {
  const std::optional<UrdfElement> dynamics = element.child("dynamics");
  if (!dynamics) return;
  dynamics->check_spelling({"damping", "friction", "armature"}, {});
  for (const char* attribute : {"damping", "friction", "armature"}) {
    const double value = dynamics->number_or(attribute, 0.0);
    if (value < 0.0) dynamics->refuse(fmt::format("{} is {}; it must not be negative", attribute, value));
  }
  // Not of the URDF specification: aplomb writes it where the robot came from MJCF.
  if (dynamics->has("armature")) joint.armature = dynamics->quantity("armature");
}

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
  read_dynamics(element, joint);
  return joint;
}

}  // namespace

const UrdfLink& Urdf::link(std::string_view link_name) const {
  const auto found = std::ranges::find(links, link_name, &UrdfLink::name);
  if (found != links.end()) return *found;
  std::vector<std::string> known;
  for (const UrdfLink& link : links) known.push_back(link.name);
  throw UnknownName("link", link_name, file.string(), known);
}

Urdf parse_urdf(std::string_view text, const std::filesystem::path& file) {
  const std::string file_name = file.string();
  check_text(text, file_name);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE) {
    throw FileError({file_name, document.ErrorLineNum()},
                    "an attribute that stands twice in its element, or is not "
                    "written as name=\"value\"");
  }
  if (document.Error()) {
    throw FileError({file_name, document.ErrorLineNum()},
                    fmt::format("is not well-formed XML ({})", document.ErrorName()));
  }
  const std::string owner = "robot";
  const UrdfElement robot(*document.RootElement(), file_name, owner);
  robot.check_spelling({"name", "version"}, {"link", "joint", "material", "transmission", "gazebo", "sensor"});
  Urdf urdf;
  urdf.name = robot.name("name");
  urdf.file = file;
  for (const UrdfElement& element : robot.children()) {
    if (element.tag() == "link") urdf.links.push_back(read_link(element, urdf.notes));
    if (element.tag() == "joint") urdf.joints.push_back(read_joint(element));
  }
  find_structure(urdf);
  note_limits(urdf);
  return urdf;
}

Urdf read_urdf(const std::filesystem::path& file) {
  const std::filesystem::path found = is_package_uri(file.string()) ? find_package_file(file.string()) : file;
  return parse_urdf(read_xml_file(found), found);
}

}  // namespace aplomb
