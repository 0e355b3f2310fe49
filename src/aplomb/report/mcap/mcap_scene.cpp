#include "aplomb/report/mcap/mcap_scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr const char* kWorld = "world";

Json time_json(std::uint64_t time_ns) { return {{"sec", time_ns / 1'000'000'000}, {"nsec", time_ns % 1'000'000'000}}; }
Json vector_json(const Vector3d& value) { return {{"x", value.x()}, {"y", value.y()}, {"z", value.z()}}; }
Json quaternion_json(const Eigen::Quaterniond& turn) {
  return {{"x", turn.x()}, {"y", turn.y()}, {"z", turn.z()}, {"w", turn.w()}};
}
Json pose_json(const Isometry3d& pose) {
  return {{"position", vector_json(pose.translation())},
          {"orientation", quaternion_json(Eigen::Quaterniond(pose.linear()))}};
}
Json colour_json(double red, double green, double blue, double alpha = 1.0) {
  return {{"r", red}, {"g", green}, {"b", blue}, {"a", alpha}};
}

/// JSON schema of an object with these properties.
Json object_schema(const Json& properties) { return {{"type", "object"}, {"properties", properties}}; }
Json array_schema(const Json& items) { return {{"type", "array"}, {"items", items}}; }
Json number_schema() { return {{"type", "number"}}; }
Json text_schema() { return {{"type", "string"}}; }
Json time_schema() { return object_schema({{"sec", {{"type", "integer"}}}, {"nsec", {{"type", "integer"}}}}); }
Json vector_schema() { return object_schema({{"x", number_schema()}, {"y", number_schema()}, {"z", number_schema()}}); }
Json quaternion_schema() {
  return object_schema(
      {{"x", number_schema()}, {"y", number_schema()}, {"z", number_schema()}, {"w", number_schema()}});
}
Json pose_schema() { return object_schema({{"position", vector_schema()}, {"orientation", quaternion_schema()}}); }
Json colour_schema() {
  return object_schema(
      {{"r", number_schema()}, {"g", number_schema()}, {"b", number_schema()}, {"a", number_schema()}});
}

/// An empty entity of a SceneUpdate.
Json entity_json(const std::string& id, const std::string& frame, std::uint64_t time_ns) {
  Json entity{{"timestamp", time_json(time_ns)}, {"frame_id", frame},    {"id", id},
              {"lifetime", time_json(0)},        {"frame_locked", true}, {"metadata", Json::array()}};
  for (const char* kind : {"arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models"}) {
    entity[kind] = Json::array();
  }
  return entity;
}

Json colour_of(SceneNode::Look look) {
  switch (look) {
    case SceneNode::Look::robot:
      return colour_json(0.67, 0.71, 0.75);
    case SceneNode::Look::person:
      return colour_json(0.82, 0.7, 0.6);
    case SceneNode::Look::ground:
      return colour_json(0.87, 0.9, 0.92);
    case SceneNode::Look::furniture:
      return colour_json(0.79, 0.72, 0.61);
    case SceneNode::Look::wall:
      break;
  }
  return colour_json(0.79, 0.72, 0.61, 0.35);
}

void add_ball(const Isometry3d& pose, double radius, const Json& colour, Json& entity) {
  entity["spheres"].push_back(
      {{"pose", pose_json(pose)}, {"size", vector_json(Vector3d::Constant(2.0 * radius))}, {"color", colour}});
}

/// Adds a shape to a SceneUpdate's entity; a hull or a mesh becomes its bounding box.
void add_shape(const SceneShape& shape, const Json& colour, Json& entity) {
  const auto add_cube = [&](const Isometry3d& pose, const Vector3d& size) {
    entity["cubes"].push_back({{"pose", pose_json(pose)}, {"size", vector_json(size)}, {"color", colour}});
  };
  const double radius = shape.size[0], length = shape.size[1];
  switch (shape.kind) {
    case SceneShape::Kind::box:
      return add_cube(shape.T_node_shape, shape.size);
    case SceneShape::Kind::plane:
      return add_cube(shape.T_node_shape * Eigen::Translation3d(0.0, 0.0, -0.005),
                      {shape.size[0], shape.size[1], 0.01});
    case SceneShape::Kind::sphere:
      return add_ball(shape.T_node_shape, radius, colour, entity);
    case SceneShape::Kind::capsule:
      for (const double end : {-0.5 * length, 0.5 * length}) {
        add_ball(shape.T_node_shape * Eigen::Translation3d(0.0, 0.0, end), radius, colour, entity);
      }
      [[fallthrough]];
    case SceneShape::Kind::cylinder:
      entity["cylinders"].push_back({{"pose", pose_json(shape.T_node_shape)},
                                     {"size", vector_json({2.0 * radius, 2.0 * radius, length})},
                                     {"bottom_scale", 1.0},
                                     {"top_scale", 1.0},
                                     {"color", colour}});
      return;
    case SceneShape::Kind::hull:
    case SceneShape::Kind::mesh:
      break;
  }
  Eigen::AlignedBox3d around;
  for (const Vector3d& point : shape.points) around.extend(point);
  if (!around.isEmpty()) add_cube(shape.T_node_shape * Eigen::Translation3d(around.center()), around.sizes());
}

Json arrow_json(const Vector3d& from, const Vector3d& along, const Json& colour) {
  Isometry3d pose = Isometry3d(Eigen::Translation3d(from));
  pose.linear() = turn_between(Vector3d::UnitX(), along).toRotationMatrix();
  const double head = std::min(0.06, 0.5 * along.norm());
  return {{"pose", pose_json(pose)}, {"shaft_length", along.norm() - head},
          {"shaft_diameter", 0.016}, {"head_length", head},
          {"head_diameter", 0.036},  {"color", colour}};
}

}  // namespace

std::vector<std::string> frame_names(const Scene& scene) {
  std::vector<std::string> names;
  std::set<std::string> known{kWorld};
  for (const SceneNode& node : scene.nodes) {
    std::string name = node.name;
    while (!known.insert(name).second) name += "_frame";
    names.push_back(std::move(name));
  }
  return names;
}

Json frame_transforms_schema() {
  return object_schema({{"transforms", array_schema(object_schema({{"timestamp", time_schema()},
                                                                   {"parent_frame_id", text_schema()},
                                                                   {"child_frame_id", text_schema()},
                                                                   {"translation", vector_schema()},
                                                                   {"rotation", quaternion_schema()}}))}});
}

Json frame_transforms_message(const Scene& scene, const ScenePoses& poses, const std::vector<std::string>& names,
                              std::uint64_t time_ns) {
  Json transforms = Json::array();
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int parent = scene.nodes[i].parent;
    const Isometry3d& pose = poses.in_parent(i);
    transforms.push_back({{"timestamp", time_json(time_ns)},
                          {"parent_frame_id", parent < 0 ? kWorld : names[static_cast<std::size_t>(parent)]},
                          {"child_frame_id", names[i]},
                          {"translation", vector_json(pose.translation())},
                          {"rotation", quaternion_json(Eigen::Quaterniond(pose.linear()))}});
  }
  return {{"transforms", transforms}};
}

Json scene_update_schema() {
  const Json solid = object_schema({{"pose", pose_schema()}, {"size", vector_schema()}, {"color", colour_schema()}});
  Json cylinder = solid;
  Json arrow = object_schema({{"pose", pose_schema()}, {"color", colour_schema()}});
  for (const char* name : {"bottom_scale", "top_scale"}) cylinder["properties"][name] = number_schema();
  for (const char* name : {"shaft_length", "shaft_diameter", "head_length", "head_diameter"}) {
    arrow["properties"][name] = number_schema();
  }
  const Json empty = array_schema(object_schema(Json::object()));
  const Json entity =
      object_schema({{"timestamp", time_schema()},
                     {"frame_id", text_schema()},
                     {"id", text_schema()},
                     {"lifetime", time_schema()},
                     {"frame_locked", {{"type", "boolean"}}},
                     {"metadata", array_schema(object_schema({{"key", text_schema()}, {"value", text_schema()}}))},
                     {"arrows", array_schema(arrow)},
                     {"cubes", array_schema(solid)},
                     {"spheres", array_schema(solid)},
                     {"cylinders", array_schema(cylinder)},
                     {"lines", empty},
                     {"triangles", empty},
                     {"texts", empty},
                     {"models", empty}});
  const Json deletion =
      object_schema({{"timestamp", time_schema()}, {"type", {{"type", "integer"}}}, {"id", text_schema()}});
  return object_schema({{"deletions", array_schema(deletion)}, {"entities", array_schema(entity)}});
}

Json shapes_message(const Scene& scene, const std::vector<std::string>& names, std::uint64_t time_ns) {
  Json entities = Json::array();
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].shapes.empty()) continue;
    Json entity = entity_json(names[i], names[i], time_ns);
    for (const SceneShape& shape : scene.nodes[i].shapes) add_shape(shape, colour_of(scene.nodes[i].look), entity);
    entities.push_back(std::move(entity));
  }
  return {{"deletions", Json::array()}, {"entities", entities}};
}

Json marks_message(const Scene& scene, const ScenePoses& poses, std::uint64_t time_ns) {
  Json entity = entity_json("marks", kWorld, time_ns);
  for (std::size_t i = 0; i < scene.markers.size(); ++i) {
    const auto point = poses.marker(i);
    if (point) add_ball(Isometry3d(Eigen::Translation3d(*point)), 0.015, colour_json(0.82, 0.56, 0.0), entity);
  }
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const auto point = poses.force_point(i), force = poses.force(i);
    if (!point || !force || force->norm() * scene.metres_per_newton < 1e-3) continue;
    const bool is_push = scene.forces[i].kind == SceneForce::Kind::push;
    const Vector3d along = scene.metres_per_newton * *force;
    const Vector3d from = is_push ? Vector3d(*point - along) : *point;  // the arrow of a push ends at `point`
    entity["arrows"].push_back(
        arrow_json(from, along, is_push ? colour_json(0.7, 0.15, 0.12) : colour_json(0.0, 0.62, 0.45)));
  }
  return {{"deletions", Json::array()}, {"entities", Json::array({entity})}};
}

Json joint_states_schema() {
  return object_schema({{"name", array_schema(text_schema())}, {"position", array_schema(number_schema())}});
}

Json joint_states_message(const Scene& scene, const ScenePoses& poses) {
  Json names = Json::array(), positions = Json::array();
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const std::string& column = scene.nodes[i].joint_column;
    if (column.empty()) continue;
    names.push_back(column);
    positions.push_back(poses.joint(i));
  }
  return {{"name", names}, {"position", positions}};
}

Json markers_schema() {
  return object_schema(
      {{"markers", array_schema(object_schema({{"label", text_schema()}, {"point", vector_schema()}}))}});
}

Json markers_message(const Scene& scene, const ScenePoses& poses) {
  Json markers = Json::array();
  for (std::size_t i = 0; i < scene.markers.size(); ++i) {
    const auto point = poses.marker(i);
    if (point) markers.push_back({{"label", scene.markers[i].label}, {"point", vector_json(*point)}});
  }
  return {{"markers", markers}};
}

Json wrenches_schema() {
  return object_schema(
      {{"forces", array_schema(object_schema(
                      {{"label", text_schema()}, {"point", vector_schema()}, {"force", vector_schema()}}))}});
}

Json wrenches_message(const Scene& scene, const ScenePoses& poses) {
  Json forces = Json::array();
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    const auto point = poses.force_point(i), force = poses.force(i);
    if (!point || !force) continue;
    forces.push_back(
        {{"label", scene.forces[i].label}, {"point", vector_json(*point)}, {"force", vector_json(*force)}});
  }
  return {{"forces", forces}};
}

}  // namespace aplomb
