#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
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

}  // namespace

void write_urdf_with_inertias(const std::filesystem::path& original,
                              const std::map<std::string, Inertia>& link_inertias, const std::filesystem::path& out) {
  const std::string text = read_xml_file(original);
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
