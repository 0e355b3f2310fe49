#include <fmt/format.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/robot/mjcf/mjcf.hpp"
#include "aplomb/robot/urdf/urdf.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

/// Position of a link and its <inertial> in the text.
struct LinkSpan {
  XmlTag open;                                       // <link ...> or <link .../>
  std::size_t inertial_begin = 0, inertial_end = 0;  // both 0 without an <inertial>
};

std::vector<LinkSpan> find_links(std::string_view text, const std::string& file) {
  std::vector<LinkSpan> spans;
  XmlScanner scanner(text, file);
  bool is_in_link = false;
  while (const std::optional<XmlTag> tag = scanner.next()) {
    if (tag->depth == 1 && tag->kind != XmlTag::Kind::close) {
      is_in_link = tag->name == "link";
      if (is_in_link) spans.push_back({.open = *tag});
    }
    if (tag->depth != 2 || !is_in_link || tag->name != "inertial") continue;
    if (tag->kind != XmlTag::Kind::close) spans.back().inertial_begin = tag->begin;
    spans.back().inertial_end = tag->end;
  }
  return spans;
}

/// Indentation before `position`; empty unless only blanks precede it on its line.
std::string indentation(std::string_view text, std::size_t position) {
  const std::size_t newline = text.substr(0, position).rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view before = text.substr(start, position - start);
  return before.find_first_not_of(" \t") == std::string_view::npos ? std::string(before) : std::string();
}

/// Text of an <inertial> element. `{}` writes the shortest digits that read back as the same double.
std::string inertial_text(const Inertia& inertia, const std::string& indent) {
  const Eigen::Vector3d& c = inertia.com;
  const Eigen::Matrix3d& I = inertia.about_com;
  const std::string inner = "\n" + indent + "  ";
  std::string text = "<inertial>";
  text += inner + fmt::format(R"(<origin xyz="{} {} {}" rpy="0 0 0"/>)", c.x(), c.y(), c.z());
  text += inner + fmt::format(R"(<mass value="{}"/>)", inertia.mass);
  text += inner + fmt::format(R"(<inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/>)", I(0, 0), I(0, 1),
                              I(0, 2), I(1, 1), I(1, 2), I(2, 2));
  return text + "\n" + indent + "</inertial>";
}

void check_inertia(const std::string& link, const Inertia& inertia) {
  const bool is_finite = std::isfinite(inertia.mass) && inertia.com.allFinite() && inertia.about_com.allFinite();
  if (!is_finite || inertia.mass < 0.0) {
    throw InvalidValue(
        fmt::format("link '{}': mass {} kg, or its centre of mass or inertia, cannot be written to a URDF; "
                    "all must be finite, the mass not negative",
                    link, inertia.mass));
  }
  if (inertia.about_com != inertia.about_com.transpose()) {
    throw InvalidValue(fmt::format("link '{}': its inertia is not symmetric", link));
  }
}

/// Appends the text from `from` up to and including the link's new <inertial>; returns the end of the replaced text.
std::size_t append_link(std::string& out, std::string_view text, std::size_t from, const LinkSpan& span,
                        const Inertia& inertia) {
  if (span.inertial_end > 0) {
    out += text.substr(from, span.inertial_begin - from);
    out += inertial_text(inertia, indentation(text, span.inertial_begin));
    return span.inertial_end;
  }
  const std::string indent = indentation(text, span.open.begin);
  const bool is_empty_tag = span.open.kind == XmlTag::Kind::empty;
  out += text.substr(from, span.open.end - from);
  if (is_empty_tag) out.replace(out.size() - 2, 2, ">");  // <link name="x"/> becomes <link name="x">...</link>
  out += "\n" + indent + "  " + inertial_text(inertia, indent + "  ");
  if (is_empty_tag) out += "\n" + indent + "</link>";
  return span.open.end;
}

std::string three(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

/// A whole URDF from links and joints that were in another format.
class UrdfText {
 public:
  std::string write(const Urdf& urdf) {
    xml_.OpenElement("robot");
    xml_.PushAttribute("name", urdf.name.c_str());
    for (const UrdfLink& link : urdf.links) add(link);
    for (const UrdfJoint& joint : urdf.joints) add(joint);
    xml_.CloseElement();
    return {xml_.CStr(), static_cast<std::size_t>(xml_.CStrSize()) - 1};
  }

 private:
  void number(const char* name, double value) { xml_.PushAttribute(name, fmt::format("{}", value).c_str()); }

  void add_origin(const Eigen::Isometry3d& T) {
    // Rz(yaw) Ry(pitch) Rx(roll)
    const Eigen::Matrix3d R = T.linear();
    const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
    const bool is_upright = std::hypot(R(0, 0), R(1, 0)) < 1e-9;  // then only yaw + roll is known
    const double roll = is_upright ? std::atan2(-R(1, 2), R(1, 1)) : std::atan2(R(2, 1), R(2, 2));
    const double yaw = is_upright ? 0.0 : std::atan2(R(1, 0), R(0, 0));
    xml_.OpenElement("origin");
    xml_.PushAttribute("xyz", three(T.translation()).c_str());
    xml_.PushAttribute("rpy", three({roll, pitch, yaw}).c_str());
    xml_.CloseElement();
  }

  void add(const UrdfLink& link) {
    xml_.OpenElement("link");
    xml_.PushAttribute("name", link.name.c_str());
    if (link.inertia.mass > 0.0) add(link.inertia);
    for (const Shape& shape : link.visuals) add("visual", shape);
    for (const Shape& shape : link.collisions) add("collision", shape);
    xml_.CloseElement();
  }

  void add(const Inertia& inertia) {
    const Eigen::Matrix3d& I = inertia.about_com;
    xml_.OpenElement("inertial");
    add_origin(Eigen::Isometry3d(Eigen::Translation3d(inertia.com)));
    xml_.OpenElement("mass");
    number("value", inertia.mass);
    xml_.CloseElement();
    xml_.OpenElement("inertia");
    number("ixx", I(0, 0));
    number("ixy", I(0, 1));
    number("ixz", I(0, 2));
    number("iyy", I(1, 1));
    number("iyz", I(1, 2));
    number("izz", I(2, 2));
    xml_.CloseElement();
    xml_.CloseElement();
  }

  void add(const char* tag, const Shape& shape) {
    constexpr const char* kKinds[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
    xml_.OpenElement(tag);
    add_origin(shape.T_link_shape);
    xml_.OpenElement("geometry");
    xml_.OpenElement(kKinds[static_cast<std::size_t>(shape.kind)]);
    if (shape.kind == Shape::Kind::box) {
      xml_.PushAttribute("size", three(shape.size).c_str());
    } else if (shape.kind == Shape::Kind::mesh) {
      xml_.PushAttribute("filename", shape.mesh_file.c_str());
      xml_.PushAttribute("scale", three(shape.size).c_str());
    } else {
      number("radius", shape.size.x());
      if (shape.kind != Shape::Kind::sphere) number("length", shape.size.y());
    }
    for (int i = 0; i < 3; ++i) xml_.CloseElement();
  }

  void add(const UrdfJoint& joint) {
    constexpr const char* kTypes[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    xml_.OpenElement("joint");
    xml_.PushAttribute("name", joint.name.c_str());
    xml_.PushAttribute("type", kTypes[static_cast<std::size_t>(joint.type)]);
    add_origin(joint.T_parent_joint);
    for (const auto& [end, link] : {std::pair("parent", &joint.parent), std::pair("child", &joint.child)}) {
      xml_.OpenElement(end);
      xml_.PushAttribute("link", link->c_str());
      xml_.CloseElement();
    }
    if (joint.type != UrdfJoint::Type::fixed) add_motion(joint);
    xml_.CloseElement();
  }

  void add_motion(const UrdfJoint& joint) {
    constexpr double kFarthest = 1e9;  // [m] a URDF cannot say that a prismatic joint has no limits
    xml_.OpenElement("axis");
    xml_.PushAttribute("xyz", three(joint.axis).c_str());
    xml_.CloseElement();
    xml_.OpenElement("limit");
    if (joint.type != UrdfJoint::Type::continuous) {
      number("lower", std::max(joint.lower, -kFarthest));
      number("upper", std::min(joint.upper, kFarthest));
    }
    if (std::isfinite(joint.effort)) number("effort", joint.effort);
    if (std::isfinite(joint.velocity)) number("velocity", joint.velocity);
    xml_.CloseElement();
    if (joint.armature) {
      xml_.OpenElement("dynamics");
      number("armature", *joint.armature);
      xml_.CloseElement();
    }
    if (!joint.is_mimic()) return;
    xml_.OpenElement("mimic");
    xml_.PushAttribute("joint", joint.mimics.c_str());
    number("offset", joint.mimic_offset);
    xml_.CloseElement();
  }

  tinyxml2::XMLPrinter xml_;
};

/// Writes a file atomically: under a temporary name, then renamed.
void write_atomically(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path draft = file;
  draft += fmt::format(".{}.tmp", ::getpid());
  write_file(draft, bytes);
  std::error_code error;
  std::filesystem::rename(draft, file, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
    throw FileError({file.string()}, fmt::format("cannot be written: {}", error.message()));
  }
}

void write_from_mjcf(const std::filesystem::path& original, const std::map<std::string, Inertia>& link_inertias,
                     const std::filesystem::path& out) {
  Urdf urdf = read_mjcf(original);
  for (const auto& [link, inertia] : link_inertias) {
    urdf.link(link);
    check_inertia(link, inertia);
    std::ranges::find(urdf.links, link, &UrdfLink::name)->inertia = inertia;
  }
  write_atomically(out, UrdfText().write(urdf));
}

}  // namespace

void write_urdf_with_inertias(const std::filesystem::path& original,
                              const std::map<std::string, Inertia>& link_inertias, const std::filesystem::path& out) {
  const std::string text = read_xml_file(original);
  if (is_mjcf(text)) return write_from_mjcf(original, link_inertias, out);
  const Urdf urdf = parse_urdf(text, original);
  for (const auto& [link, inertia] : link_inertias) {
    urdf.link(link);
    check_inertia(link, inertia);
  }
  const std::vector<LinkSpan> spans = find_links(text, original.string());
  std::string edited;
  std::size_t from = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto found = link_inertias.find(urdf.links[i].name);
    if (found != link_inertias.end()) from = append_link(edited, text, from, spans[i], found->second);
  }
  edited += std::string_view(text).substr(from);
  write_atomically(out, edited);
}

}  // namespace aplomb
