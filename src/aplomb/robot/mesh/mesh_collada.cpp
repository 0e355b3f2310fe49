#include <fmt/format.h>
#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <cstring>
#include <map>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/mesh/mesh_formats.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

using tinyxml2::XMLElement;
using Points = std::vector<Eigen::Vector3d>;

std::string_view attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string_view text_of(const XMLElement& element) {
  const char* text = element.GetText();
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// "#name" -> "name"; empty for a reference to another file.
std::string_view local_name(std::string_view url) { return url.starts_with('#') ? url.substr(1) : std::string_view(); }

const XMLElement* child_with_id(const XMLElement& parent, const char* tag, std::string_view id) {
  for (auto* child = parent.FirstChildElement(tag); child != nullptr; child = child->NextSiblingElement(tag)) {
    if (!id.empty() && attribute(*child, "id") == id) return child;
  }
  return nullptr;
}

class ColladaReader {
 public:
  ColladaReader(const XMLElement& root, const std::string& file) : root_(root), file_(file) {}

  Points read(bool obeys_up_axis) {
    read_geometries();
    Eigen::Affine3d unit(Eigen::Scaling(read_unit()));
    if (obeys_up_axis && is_y_up()) unit = Eigen::AngleAxisd(std::numbers::pi / 2.0, Eigen::Vector3d::UnitX()) * unit;
    for_each(root_, "library_visual_scenes", [&](const XMLElement& library) {
      for_each(library, "visual_scene", [&](const XMLElement& scene) { place_nodes(scene, unit); });
    });
    if (placed_.empty()) {  // no scene: take all geometry without poses
      for (const auto& [id, points] : geometries_) place(points, unit);
    }
    if (placed_.empty()) throw FileError({file_}, "has no vertex");
    return std::move(placed_);
  }

 private:
  template <typename Action>
  static void for_each(const XMLElement& parent, const char* tag, Action action) {
    for (auto* child = parent.FirstChildElement(tag); child != nullptr; child = child->NextSiblingElement(tag)) {
      action(*child);
    }
  }

  [[noreturn]] void refuse(const XMLElement& element, std::string_view why) const {
    throw FileError({file_, element.GetLineNum()}, fmt::format("<{}>: {}", element.Name(), why));
  }

  std::vector<double> numbers_in(const XMLElement& element) const {
    std::vector<double> numbers;
    std::string_view text = text_of(element);
    while (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      const std::optional<double> number = take_number(text);
      if (!number) refuse(element, "something is not a number");
      numbers.push_back(*number);
    }
    return numbers;
  }

  bool is_y_up() const {
    const XMLElement* asset = root_.FirstChildElement("asset");
    const XMLElement* up_axis = asset == nullptr ? nullptr : asset->FirstChildElement("up_axis");
    return up_axis != nullptr && text_of(*up_axis) == "Y_UP";
  }

  double read_unit() const {
    const XMLElement* asset = root_.FirstChildElement("asset");
    const XMLElement* unit = asset == nullptr ? nullptr : asset->FirstChildElement("unit");
    if (unit == nullptr || unit->Attribute("meter") == nullptr) return 1.0;
    std::string_view text = attribute(*unit, "meter");
    const std::optional<double> metres = take_number(text);
    if (!metres || *metres <= 0.0) refuse(*unit, "meter is not a positive number");
    return *metres;
  }

  void read_geometries() {
    for_each(root_, "library_geometries", [&](const XMLElement& library) {
      for_each(library, "geometry", [&](const XMLElement& geometry) {
        if (const XMLElement* mesh = geometry.FirstChildElement("mesh")) {
          geometries_[std::string(attribute(geometry, "id"))] = read_positions(*mesh);
        }
      });
    });
  }

  Points read_positions(const XMLElement& mesh) const {
    const XMLElement* vertices = mesh.FirstChildElement("vertices");
    if (vertices == nullptr) return {};
    Points points;
    for_each(*vertices, "input", [&](const XMLElement& input) {
      if (attribute(input, "semantic") != "POSITION") return;
      const XMLElement* source = child_with_id(mesh, "source", local_name(attribute(input, "source")));
      if (source == nullptr) refuse(input, "its source is not there");
      const XMLElement* array = source->FirstChildElement("float_array");
      if (array == nullptr) refuse(*source, "has no <float_array>");
      const std::vector<double> numbers = numbers_in(*array);
      const std::size_t stride = stride_of(*source);
      for (std::size_t i = 0; i + 2 < numbers.size(); i += stride) {
        points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
      }
    });
    return points;
  }

  std::size_t stride_of(const XMLElement& source) const {
    const XMLElement* technique = source.FirstChildElement("technique_common");
    const XMLElement* accessor = technique == nullptr ? nullptr : technique->FirstChildElement("accessor");
    const unsigned stride = accessor == nullptr ? 3 : accessor->UnsignedAttribute("stride", 3);
    if (stride < 3) refuse(*accessor, "positions need a stride of three numbers at least");
    return stride;
  }

  /// The pose of a node is the product of its elements, in their order.
  Eigen::Affine3d pose_of(const XMLElement& node) const {
    Eigen::Affine3d T = Eigen::Affine3d::Identity();
    for (auto* child = node.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view tag = child->Name();
      const std::size_t count = tag == "matrix"                        ? 16
                                : tag == "rotate"                      ? 4
                                : tag == "translate" || tag == "scale" ? 3
                                                                       : 0;
      if (count == 0) continue;
      const std::vector<double> values = numbers_in(*child);
      if (values.size() != count) refuse(*child, fmt::format("needs {} numbers", count));
      if (tag == "matrix") {
        T = T * Eigen::Affine3d(Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(values.data()));
      } else if (tag == "translate") {
        T = T * Eigen::Translation3d(values[0], values[1], values[2]);
      } else if (tag == "scale") {
        T = T * Eigen::Scaling(values[0], values[1], values[2]);
      } else if (const Eigen::Vector3d axis(values[0], values[1], values[2]); axis.norm() > 0.0) {
        T = T * Eigen::AngleAxisd(values[3] * std::numbers::pi / 180.0, axis.normalized());
      }
    }
    return T;
  }

  /// Places the geometry of all nodes below `parent`, recursively; XmlScanner has bounded the depth.
  void place_nodes(const XMLElement& parent, const Eigen::Affine3d& T) {
    for_each(parent, "node", [&](const XMLElement& node) {
      const Eigen::Affine3d T_node = T * pose_of(node);
      for_each(node, "instance_geometry", [&](const XMLElement& instance) {
        const auto geometry = geometries_.find(std::string(local_name(attribute(instance, "url"))));
        if (geometry != geometries_.end()) place(geometry->second, T_node);
      });
      place_nodes(node, T_node);
    });
  }

  void place(const Points& points, const Eigen::Affine3d& T) {
    // A small file may instance the same geometry many times: bound the number of points.
    constexpr std::size_t kMostPoints = 20'000'000;
    if (placed_.size() + points.size() > kMostPoints) throw FileError({file_}, "shows too many vertices");
    for (const Eigen::Vector3d& point : points) placed_.emplace_back(T * point);
  }

  const XMLElement& root_;
  const std::string& file_;
  std::map<std::string, Points> geometries_;
  Points placed_;
};

}  // namespace

std::vector<Eigen::Vector3d> read_collada_points(std::string_view bytes, const std::string& file, bool obeys_up_axis) {
  check_is_text(bytes, file);
  XmlScanner scanner(bytes, file);
  while (scanner.next()) continue;  // rejects input that could exhaust the parser
  tinyxml2::XMLDocument document;
  document.Parse(bytes.data(), bytes.size());
  if (document.Error() || document.RootElement() == nullptr) {
    throw FileError({file, document.ErrorLineNum()}, "is not well-formed XML");
  }
  if (std::strcmp(document.RootElement()->Name(), "COLLADA") != 0) throw FileError({file}, "is not a COLLADA file");
  return ColladaReader(*document.RootElement(), file).read(obeys_up_axis);
}

}  // namespace aplomb
