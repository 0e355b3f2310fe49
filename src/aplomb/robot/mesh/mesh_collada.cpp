#include <fmt/format.h>
#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

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

  /// The triangles of all placed geometry, by material.
  std::vector<SurfaceMesh> read_surface() {
    read_geometries();
    for_each(root_, "library_geometries", [&](const XMLElement& library) {
      for_each(library, "geometry", [&](const XMLElement& geometry) {
        if (const XMLElement* mesh = geometry.FirstChildElement("mesh")) {
          read_groups(*mesh, std::string(attribute(geometry, "id")));
        }
      });
    });
    const Eigen::Affine3d unit(Eigen::Scaling(read_unit()));
    for_each(root_, "library_visual_scenes", [&](const XMLElement& library) {
      for_each(library, "visual_scene", [&](const XMLElement& scene) { place_nodes(scene, unit); });
    });
    if (surface_.empty()) {
      for (const auto& [id, points] : geometries_) place_groups(id, unit, nullptr);
    }
    return std::move(surface_);
  }

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
        if (geometry == geometries_.end()) return;
        place(geometry->second, T_node);
        place_groups(geometry->first, T_node, &instance);
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

  /// Triangles of one <triangles>, <polylist> or <polygons>.
  struct Group {
    std::string material;  ///< a symbol that the instance binds
    std::vector<std::array<std::uint32_t, 3>> triangles;
  };

  void read_groups(const XMLElement& mesh, const std::string& id) {
    for (const char* tag : {"triangles", "polylist", "polygons"}) {
      for_each(mesh, tag, [&](const XMLElement& element) {
        Group group{.material = std::string(attribute(element, "material")), .triangles = {}};
        const auto [offset, stride] = vertex_input(element);
        if (stride == 0) return;
        std::vector<double> counts;
        if (const XMLElement* vcount = element.FirstChildElement("vcount")) counts = numbers_in(*vcount);
        for_each(element, "p", [&](const XMLElement& list) {
          const std::vector<double> numbers = numbers_in(list);
          const std::size_t num_corners = numbers.size() / stride, num_points = geometries_[id].size();
          const auto corner = [&](std::size_t i) {
            const double index = numbers[i * stride + offset];
            if (!(index >= 0.0) || index >= static_cast<double>(num_points))
              refuse(list, "names a vertex that is not there");
            return static_cast<std::uint32_t>(index);
          };
          std::size_t first = 0;
          const auto add_polygon = [&](std::size_t size) {
            for (std::size_t i = 2; i < size && first + i < num_corners; ++i) {
              group.triangles.push_back({corner(first), corner(first + i - 1), corner(first + i)});
            }
            first += size;
          };
          if (std::strcmp(element.Name(), "polygons") == 0) {
            add_polygon(num_corners);
          } else if (counts.empty()) {
            while (first + 3 <= num_corners) add_polygon(3);
          } else {
            for (const double count : counts) {
              if (count >= 0.0 && count <= static_cast<double>(num_corners))
                add_polygon(static_cast<std::size_t>(count));
            }
          }
        });
        groups_[id].push_back(std::move(group));
      });
    }
  }

  /// Place of the vertex among the inputs of a corner, and how many numbers a corner has.
  std::pair<std::size_t, std::size_t> vertex_input(const XMLElement& element) const {
    std::size_t offset = 0, stride = 0;
    for_each(element, "input", [&](const XMLElement& input) {
      const std::size_t place = std::min(input.UnsignedAttribute("offset", 0), 64U);
      stride = std::max(stride, place + 1);
      if (attribute(input, "semantic") == "VERTEX") offset = place;
    });
    return {offset, stride};
  }

  static const XMLElement* find(const XMLElement& root, const char* library_tag, const char* tag, std::string_view id) {
    const XMLElement* found = nullptr;
    for_each(root, library_tag, [&](const XMLElement& library) {
      if (found == nullptr) found = child_with_id(library, tag, id);
    });
    return found;
  }

  /// First <diffuse><color> below an effect.
  static const XMLElement* diffuse_of(const XMLElement& element) {
    for (auto* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      if (std::strcmp(child->Name(), "diffuse") == 0) return child->FirstChildElement("color");
      if (const XMLElement* deeper = diffuse_of(*child)) return deeper;
    }
    return nullptr;
  }

  /// Diffuse colour of a material symbol, as the instance binds it.
  std::optional<Colour> colour_of(const std::string& symbol, const XMLElement* instance) const {
    std::string id = symbol;
    const XMLElement* bind = instance == nullptr ? nullptr : instance->FirstChildElement("bind_material");
    const XMLElement* common = bind == nullptr ? nullptr : bind->FirstChildElement("technique_common");
    if (common != nullptr) {
      for_each(*common, "instance_material", [&](const XMLElement& one) {
        if (attribute(one, "symbol") == symbol) id = std::string(local_name(attribute(one, "target")));
      });
    }
    const XMLElement* material = find(root_, "library_materials", "material", id);
    const XMLElement* use = material == nullptr ? nullptr : material->FirstChildElement("instance_effect");
    if (use == nullptr) return std::nullopt;
    const XMLElement* effect = find(root_, "library_effects", "effect", local_name(attribute(*use, "url")));
    const XMLElement* colour = effect == nullptr ? nullptr : diffuse_of(*effect);
    if (colour == nullptr) return std::nullopt;
    const std::vector<double> values = numbers_in(*colour);
    if (values.size() < 3) return std::nullopt;
    const auto part = [&](std::size_t i) { return std::clamp(values[i], 0.0, 1.0); };
    return Colour{part(0), part(1), part(2)};
  }

  void place_groups(const std::string& id, const Eigen::Affine3d& T, const XMLElement* instance) {
    const Points& points = geometries_[id];
    for (const Group& group : groups_[id]) {
      SurfaceMesh mesh{.points = {}, .triangles = group.triangles, .colour = colour_of(group.material, instance)};
      mesh.points.reserve(points.size());
      for (const Eigen::Vector3d& point : points) mesh.points.emplace_back(T * point);
      surface_.push_back(std::move(mesh));
    }
  }

  const XMLElement& root_;
  const std::string& file_;
  std::map<std::string, std::vector<Group>> groups_;  ///< by geometry; only for read_surface
  std::vector<SurfaceMesh> surface_;
  std::map<std::string, Points> geometries_;
  Points placed_;
};

}  // namespace

namespace {

/// Parses the file as untrusted input, and reads it.
template <typename Read>
auto read_collada(std::string_view bytes, const std::string& file, Read read) {
  check_is_text(bytes, file);
  XmlScanner scanner(bytes, file);
  while (scanner.next()) continue;  // rejects input that could exhaust the parser
  tinyxml2::XMLDocument document;
  document.Parse(bytes.data(), bytes.size());
  if (document.Error() || document.RootElement() == nullptr) {
    throw FileError({file, document.ErrorLineNum()}, "is not well-formed XML");
  }
  if (std::strcmp(document.RootElement()->Name(), "COLLADA") != 0) throw FileError({file}, "is not a COLLADA file");
  return read(ColladaReader(*document.RootElement(), file));
}

}  // namespace

std::vector<Eigen::Vector3d> read_collada_points(std::string_view bytes, const std::string& file, bool obeys_up_axis) {
  return read_collada(bytes, file, [&](ColladaReader reader) { return reader.read(obeys_up_axis); });
}

std::vector<SurfaceMesh> read_collada_surface(std::string_view bytes, const std::string& file) {
  return read_collada(bytes, file, [](ColladaReader reader) { return reader.read_surface(); });
}

}  // namespace aplomb
