#include "aplomb/robot/mjcf/mjcf_text.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/robot/mesh/mesh.hpp"
#include "aplomb/robot/mjcf/mjcf.hpp"
#include "aplomb/robot/urdf/urdf_xml.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

constexpr std::size_t kMaxFiles = 64;                        // of one robot, by <include>
constexpr std::size_t kMaxBodies = 2000, kMaxGeoms = 20000;  // compile time grows faster than these

/// Elements without a meaning for the robot's dynamics and contact geometry. The compiler does not see them: they are
/// the ones that read image files, or that reserve memory of any size.
constexpr std::array kLeftOut = {"visual",  "statistic", "size",  "custom", "sensor", "keyframe",
                                 "texture", "material",  "light", "camera", "skin",   "contact"};

struct Refused {
  const char* element;
  const char* why;
};
constexpr Refused kRefused[] = {
    {"composite", "composite objects are not rigid bodies"},
    {"flexcomp", "deformable objects are not rigid bodies"},
    {"flex", "deformable objects are not rigid bodies"},
    {"deformable", "deformable objects are not rigid bodies"},
    {"replicate", "copies that the compiler makes are not read; write the bodies out"},
    {"attach", "models attached from other files are not read; include them, or save the compiled model"},
    {"model", "models attached from other files are not read; include them, or save the compiled model"},
    {"plugin", "plugins are code; aplomb runs none that a data file names"},
    {"extension", "plugins are code; aplomb runs none that a data file names"},
    {"hfield", "height fields are terrain; take them out of the robot's file"},
    {"spatial", "tendons are beyond this robot model (rigid links and one-axis joints)"},
    {"fixed", "tendons are beyond this robot model (rigid links and one-axis joints)"},
};

/// What is shared by all files of one robot.
struct Reading {
  fs::path folder;  ///< canonical folder of the main file: no path may leave it
  MjcfText* text = nullptr;
  std::vector<fs::path> open;  ///< files that include the one that is read
  std::size_t num_files = 0, num_bytes = 0, num_bodies = 0, num_geoms = 0;
  std::string mesh_folder, asset_folder;
  bool strips_path = false;
};

[[noreturn]] void refuse(const fs::path& file, int line, std::string_view why) {
  throw FileError({file.string(), line}, why);
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const auto [at_folder, at_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return at_folder == folder.end() && at_file != file.end();
}

/// The file that an MJCF names. It must exist and be in the robot's folder, also after symbolic links.
fs::path find_named(const Reading& reading, const fs::path& in, int line, const std::string& named,
                    std::string_view what) {
  const fs::path path(named);
  std::error_code error;
  const auto show = [&] { return shown(named); };
  const bool is_bad = named.empty() || path.is_absolute() || named.find("://") != std::string::npos ||
                      std::ranges::find(path, "..") != path.end() || named.find('\\') != std::string::npos;
  if (is_bad) {
    refuse(in, line, fmt::format("{} '{}' must be a relative path inside the robot's folder", what, show()));
  }
  const fs::path found = fs::weakly_canonical(reading.folder / path, error);
  if (error || !is_inside(found, reading.folder)) {
    refuse(in, line, fmt::format("{} '{}' leaves the robot's folder", what, show()));
  }
  if (!fs::is_regular_file(found, error)) {
    refuse(in, line, fmt::format("{} '{}' is not there ({})", what, show(), (reading.folder / path).string()));
  }
  return found;
}

/// Bounds and nesting of the text, before a parser builds a tree of it.
void scan(std::string_view text, const fs::path& file) {
  check_is_text(text, file.string());
  XmlScanner scanner(text, file.string());
  bool has_root = false;
  while (const std::optional<XmlTag> tag = scanner.next()) {
    if (!has_root && tag->name != "mujoco" && tag->name != "mujocoinclude") {
      refuse(file, tag->line, fmt::format("the root element is <{}>; MJCF has <mujoco>", shown(tag->name)));
    }
    has_root = true;
  }
  if (!has_root) refuse(file, 0, "has no element; MJCF starts with <mujoco>");
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? std::string() : value;
}

std::unique_ptr<tinyxml2::XMLDocument> parse(Reading& reading, const fs::path& file) {
  const std::string text = read_xml_file(file);
  reading.num_bytes += text.size();
  if (++reading.num_files > kMaxFiles || reading.num_bytes > XmlLimits::kBytes) {
    refuse(file, 0,
           fmt::format("the robot's files are more than {} or larger than {} MB", kMaxFiles,
                       XmlLimits::kBytes / 1'000'000));
  }
  scan(text, file);
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  if (document->Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    refuse(file, document->ErrorLineNum(), fmt::format("is not well-formed XML ({})", document->ErrorName()));
  }
  return document;
}

fs::path find_included(const Reading& reading, const fs::path& in, const XMLElement& include) {
  const std::string named = attribute(include, "file");
  const fs::path file = find_named(reading, in, include.GetLineNum(), named, "the included file");
  if (std::ranges::find(reading.open, file) != reading.open.end()) {
    refuse(in, include.GetLineNum(),
           fmt::format("<include file='{}'> is a loop: this file is already being read", shown(named)));
  }
  return file;
}

/// Makes the one document that the compiler reads.
class Cleaner {
 public:
  Cleaner(Reading& reading, fs::path file) : reading_(reading), file_(std::move(file)) {}

  /// Copies the children of `from` into `to`: included files in place, without what is left out.
  void copy_children(const XMLElement& from, XMLElement& to) {
    for (const XMLElement* child = from.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view tag = child->Name();
      if (tag == "include") {
        include(*child, to);
      } else if (!is_left_out(tag)) {
        copy(*child, to);
      }
    }
  }

 private:
  static bool is_left_out(std::string_view tag) { return std::ranges::find(kLeftOut, tag) != kLeftOut.end(); }

  void include(const XMLElement& element, XMLElement& to) {
    const fs::path file = find_included(reading_, file_, element);
    reading_.open.push_back(file);
    const auto document = parse(reading_, file);
    Cleaner(reading_, file).copy_children(*document->RootElement(), to);
    reading_.open.pop_back();
  }

  static std::size_t depth_of(const XMLElement& element) {
    std::size_t depth = 0;
    for (const tinyxml2::XMLNode* node = element.Parent(); node != nullptr; node = node->Parent()) ++depth;
    return depth;
  }

  void copy(const XMLElement& from, XMLElement& to) {
    const std::string_view tag = from.Name();
    const int line = from.GetLineNum();
    check_kind(from, to);
    count(tag, line);
    if (depth_of(to) > XmlLimits::kDepth) refuse(file_, line, "elements are nested too deep");
    XMLElement* copied = to.InsertNewChildElement(from.Name());
    for (const tinyxml2::XMLAttribute* at = from.FirstAttribute(); at != nullptr; at = at->Next()) {
      copy_attribute(from, *at, *copied);
    }
    if (reading_.open.size() == 1) note_line(from);
    copy_children(from, *copied);
  }

  void check_kind(const XMLElement& element, const XMLElement& parent) const {
    const std::string_view tag = element.Name(), above = parent.Name();
    if (above == "default" || above == "defaults") return;  // default values of an element that may not occur
    for (const Refused& refused : kRefused) {
      if (tag != refused.element) continue;
      const bool is_tendon = tag == "spatial" || tag == "fixed";
      if (is_tendon && above != "tendon") continue;
      refuse(file_, element.GetLineNum(), fmt::format("<{}{}>: {}", tag, named(element), refused.why));
    }
    if (above == "equality" && tag != "joint") {
      refuse(file_, element.GetLineNum(),
             fmt::format("<{}{}>: an equality that closes a loop is beyond this robot model (a tree of links)", tag,
                         named(element)));
    }
    const bool is_ball = tag == "joint" && attribute(element, "type") == "ball";
    if (is_ball) {
      refuse(file_, element.GetLineNum(),
             fmt::format("<joint{}>: ball joints are beyond this robot model; write three hinges", named(element)));
    }
    if (tag == "mesh" && (element.Attribute("builtin") != nullptr || element.Attribute("octree_maxdepth") != nullptr)) {
      refuse(file_, element.GetLineNum(),
             fmt::format("<mesh{}>: meshes that the compiler makes are not read", named(element)));
    }
  }

  static std::string named(const XMLElement& element) {
    const std::string name = attribute(element, "name");
    return name.empty() ? std::string() : fmt::format(" name='{}'", shown(name));
  }

  void count(std::string_view tag, int line) {
    if (tag == "body" && ++reading_.num_bodies > kMaxBodies)
      refuse(file_, line, fmt::format("more than {} bodies", kMaxBodies));
    if (tag == "geom" && ++reading_.num_geoms > kMaxGeoms)
      refuse(file_, line, fmt::format("more than {} geoms", kMaxGeoms));
  }

  void copy_attribute(const XMLElement& from, const tinyxml2::XMLAttribute& at, XMLElement& to) {
    const std::string_view tag = from.Name(), name = at.Name();
    const bool is_look = name == "material" || name == "hfield" || name == "octree_maxdepth";
    const bool is_path =
        tag == "compiler" && (name == "meshdir" || name == "texturedir" || name == "assetdir" || name == "strippath");
    if (is_look || is_path || name == "user") return;
    if (tag == "compiler" && name == "discardvisual") return;  // visual shapes are ours to show
    if (name == "file") {
      if (tag != "mesh")
        refuse(file_, from.GetLineNum(), fmt::format("<{}>: reads a file; only meshes and includes may", tag));
      to.SetAttribute("file", mesh_file(from).c_str());
      return;
    }
    if (has_nan(at)) {
      refuse(file_, from.GetLineNum(),
             fmt::format("<{}{}>: {}='{}' is not a number", tag, named(from), name, at.Value()));
    }
    to.SetAttribute(at.Name(), at.Value());
  }

  /// The compiler takes nan for a value that is not given, and fills in another one.
  static bool has_nan(const tinyxml2::XMLAttribute& at) {
    constexpr std::array kTexts = {"name",   "class",  "childclass", "body",  "body1", "body2", "joint",
                                   "joint1", "joint2", "mesh",       "model", "site",  "target"};
    if (std::ranges::find(kTexts, std::string_view(at.Name())) != kTexts.end()) return false;
    std::string_view rest = at.Value();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
      std::string word(rest.substr(0, end));
      std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      if (word == "nan" || word == "-nan" || word == "+nan") return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  std::string mesh_file(const XMLElement& mesh) {
    const std::string written = attribute(mesh, "file");
    const std::string& in = reading_.mesh_folder.empty() ? reading_.asset_folder : reading_.mesh_folder;
    const std::string name = reading_.strips_path ? fs::path(written).filename().string() : written;
    const std::string relative = in.empty() ? name : (fs::path(in) / name).string();
    const fs::path found = find_named(reading_, file_, mesh.GetLineNum(), relative, "the mesh");
    if (const std::string problem = mesh_problem(found); !problem.empty() && found.extension() != ".msh") {
      refuse(file_, mesh.GetLineNum(), fmt::format("the mesh '{}' {}", shown(relative), problem));
    }
    note_input(found);
    reading_.text->mesh_files[found.string()] = fs::path(relative).lexically_normal().string();
    return found.string();
  }

  void note_line(const XMLElement& element) {
    const std::string_view tag = element.Name();
    const std::string name = attribute(element, "name");
    if (name.empty()) return;
    if (tag == "body") reading_.text->line_of_body.emplace(name, element.GetLineNum());
    if (tag == "joint") reading_.text->line_of_joint.emplace(name, element.GetLineNum());
  }

  Reading& reading_;
  fs::path file_;
};

/// The folders of the compiler settings, which count for the whole file wherever they stand.
void find_folders(const XMLElement& element, Reading& reading) {
  for (const XMLElement* child = element.FirstChildElement("compiler"); child != nullptr;
       child = child->NextSiblingElement("compiler")) {
    if (child->Attribute("meshdir") != nullptr) reading.mesh_folder = attribute(*child, "meshdir");
    if (child->Attribute("assetdir") != nullptr) reading.asset_folder = attribute(*child, "assetdir");
    if (child->Attribute("strippath") != nullptr) reading.strips_path = attribute(*child, "strippath") == "true";
  }
}

/// The same of the included files, before any mesh is looked for. The including file has the last word.
void find_folders_of_includes(const XMLElement& element, const fs::path& file, Reading& reading) {
  for (const XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) != "include") continue;
    reading.open.push_back(find_included(reading, file, *child));
    const fs::path included = reading.open.back();
    const auto document = parse(reading, included);
    find_folders_of_includes(*document->RootElement(), included, reading);
    reading.open.pop_back();
  }
  find_folders(element, reading);
}

}  // namespace

bool is_mjcf(std::string_view text) {
  try {
    XmlScanner scanner(text, "");
    const std::optional<XmlTag> root = scanner.next();
    return root && (root->name == "mujoco" || root->name == "mujocoinclude");
  } catch (const Error&) {
    return false;
  }
}

MjcfText check_mjcf(const fs::path& file) {
  MjcfText text;
  Reading reading;
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  reading.folder = canonical.parent_path();
  reading.text = &text;
  reading.open.push_back(canonical);
  const auto document = parse(reading, file);
  const XMLElement& root = *document->RootElement();
  if (std::string_view(root.Name()) != "mujoco") {
    refuse(file, 1, "is a part of a robot (<mujocoinclude>); give the file that includes it");
  }
  find_folders_of_includes(root, file, reading);
  reading.num_files = 1;  // they are read again below, and counted there
  reading.num_bytes = 0;
  text.name = attribute(root, "model");
  tinyxml2::XMLDocument clean;
  XMLElement* clean_root = clean.NewElement("mujoco");
  clean.InsertEndChild(clean_root);
  if (!text.name.empty()) clean_root->SetAttribute("model", text.name.c_str());
  Cleaner(reading, file).copy_children(root, *clean_root);
  tinyxml2::XMLPrinter printer(nullptr, /*compact=*/true);
  clean.Print(&printer);
  text.xml.assign(printer.CStr(), static_cast<std::size_t>(printer.CStrSize()) - 1);
  return text;
}

}  // namespace aplomb
