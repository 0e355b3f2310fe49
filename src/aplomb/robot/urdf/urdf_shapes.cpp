#include <fmt/format.h>

#include "aplomb/robot/urdf/urdf_reader.hpp"

namespace aplomb {
namespace {

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
  // A negative scale mirrors, and is common for left and right parts of one file.
  if (!(shape.size.cwiseAbs().minCoeff() > 0.0)) element.refuse("<mesh> scale has a zero; the mesh would be flat");
  return shape;
}

/// The shape of a <geometry>; none when it is of a kind that aplomb does not know.
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

}  // namespace

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

}  // namespace aplomb
