#include "aplomb/robot/urdf/urdf_reader.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/mesh/package_path.hpp"
#include "aplomb/robot/urdf/urdf_structure.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

/// What to say about a file of another kind, by its root element.
std::string advice_for(std::string_view root) {
  if (root == "mujoco") {
    return "this is MJCF (MuJoCo's format); aplomb reads URDF: take the robot's URDF from its maker, or convert the "
           "file";
  }
  if (root == "sdf" || root == "gazebo") {
    return "this is SDF (Gazebo's format); aplomb reads URDF: take the URDF that it was made from, or convert the file";
  }
  return fmt::format("the root element is <{}>; a URDF has <robot name=\"...\">", shown(root));
}

/// Nothing that the XML parser could choke on, and no file of another kind, gets past here.
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

std::string names_of(const std::vector<const UrdfJoint*>& joints) {
  constexpr std::size_t kShown = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, joints.size()); ++i) names += (i > 0 ? ", " : "") + joints[i]->name;
  if (joints.size() > kShown) names += fmt::format(" and {} more", joints.size() - kShown);
  return names;
}

void note_joints(Urdf& urdf, std::string_view what, const std::function<bool(const UrdfJoint&)>& holds) {
  std::vector<const UrdfJoint*> found;
  for (const UrdfJoint& joint : urdf.joints) {
    const bool is_own = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::continuous ||
                        joint.type == UrdfJoint::Type::prismatic;
    if (is_own && !joint.is_mimic() && holds(joint)) found.push_back(&joint);
  }
  if (!found.empty()) urdf.notes.push_back(fmt::format("{} (joint {})", what, names_of(found)));
}

void note_limits(Urdf& urdf) {
  note_joints(urdf, "no effort limit is given: taken as unlimited",
              [](auto& joint) { return std::isinf(joint.effort); });
  note_joints(urdf, "no velocity limit is given: taken as unlimited",
              [](auto& joint) { return std::isinf(joint.velocity); });
  note_joints(urdf, "the effort limit is zero: nothing drives it", [](auto& joint) { return joint.effort == 0.0; });
  note_joints(urdf, "lower and upper limit are equal: it cannot move",
              [](auto& joint) { return joint.lower == joint.upper; });
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
