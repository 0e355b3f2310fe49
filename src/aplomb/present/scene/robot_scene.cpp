#include "aplomb/present/scene/robot_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/mesh/mesh.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

constexpr std::array kBaseColumns = {"base_x_m",          "base_y_m",          "base_z_m",         "base_quaternion_x",
                                     "base_quaternion_y", "base_quaternion_z", "base_quaternion_w"};
constexpr int kNumDirections = 120;  // directions in which the outermost point of a mesh is kept

/// Evenly distributed unit vectors (Fibonacci sphere): each is turned by the golden angle, at equal steps in height.
Eigen::Vector3d direction(int index) {
  const double golden_angle = std::numbers::pi * (3.0 - std::sqrt(5.0));
  const double z = 1.0 - (2.0 * index + 1.0) / kNumDirections;
  const double radius = std::sqrt(1.0 - z * z);
  return {radius * std::cos(golden_angle * index), radius * std::sin(golden_angle * index), z};
}

/// The outermost points in kNumDirections directions, without duplicates.
std::vector<Eigen::Vector3d> outermost(const std::vector<Eigen::Vector3d>& points) {
  std::vector<std::size_t> indices;
  for (int i = 0; i < kNumDirections; ++i) {
    const Eigen::Vector3d along = direction(i);
    const auto farthest =
        std::ranges::max_element(points, {}, [&along](const Eigen::Vector3d& point) { return along.dot(point); });
    indices.push_back(static_cast<std::size_t>(farthest - points.begin()));
  }
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  std::vector<Eigen::Vector3d> kept;
  for (const std::size_t index : indices) kept.push_back(points[index]);
  return kept;
}

SceneShape::Kind kind_of(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::box:
      return SceneShape::Kind::box;
    case Shape::Kind::sphere:
      return SceneShape::Kind::sphere;
    case Shape::Kind::cylinder:
      return SceneShape::Kind::cylinder;
    case Shape::Kind::capsule:
      return SceneShape::Kind::capsule;
    case Shape::Kind::mesh:
      break;
  }
  return SceneShape::Kind::hull;
}

/// A URDF shape in the body frame; nullopt for a mesh that cannot be read.
std::optional<SceneShape> scene_shape(const Shape& shape, const Eigen::Isometry3d& T_body_link,
                                      const std::filesystem::path& urdf,
                                      const std::vector<std::filesystem::path>& roots) {
  SceneShape shown{
      .kind = kind_of(shape.kind), .T_node_shape = T_body_link * shape.T_link_shape, .size = shape.size, .points = {}};
  if (shape.kind != Shape::Kind::mesh) return shown;
  try {
    std::vector<Eigen::Vector3d> points = read_mesh_points(find_mesh_file(shape.mesh_file, urdf, roots));
    for (Eigen::Vector3d& point : points) point = shape.size.cwiseProduct(point);
    if (points.size() >= 4) shown.points = outermost(points);
  } catch (const Error&) {
    return std::nullopt;  // RobotModel::notes() reports it
  }
  return shown.points.size() < 4 ? std::nullopt : std::make_optional(std::move(shown));
}

SceneNode body_node(const RobotModel& robot, const RigidBody& body, const std::string& prefix) {
  SceneNode node{.name = body.link, .parent = body.parent, .T_parent_node = body.T_parent_joint};
  if (body.joint < 0) {
    std::ranges::transform(kBaseColumns, node.pose_columns.begin(), [&](const char* name) { return prefix + name; });
    return node;
  }
  const UrdfJoint& joint = robot.urdf().joints[static_cast<std::size_t>(body.joint)];
  node.joint_column = prefix + "position_" + joint.name + "_rad";
  node.axis = joint.axis;
  node.is_prismatic = joint.type == UrdfJoint::Type::prismatic;
  node.lower = joint.lower;
  node.upper = joint.upper;
  return node;
}

}  // namespace

std::vector<std::string> posture_columns(const RobotModel& robot, const std::string& prefix) {
  std::vector<std::string> columns;
  for (const char* name : kBaseColumns) columns.push_back(prefix + name);
  for (const Joint& joint : robot.joints()) columns.push_back(prefix + "position_" + joint.name + "_rad");
  return columns;
}

std::vector<SceneNode> scene_nodes(const RobotModel& robot, const std::string& prefix) {
  std::vector<SceneNode> nodes;
  for (const RigidBody& body : robot.tree().bodies) nodes.push_back(body_node(robot, body, prefix));
  const bool has_visuals =
      std::ranges::any_of(robot.urdf().links, [](const UrdfLink& link) { return !link.visuals.empty(); });
  const std::vector<std::filesystem::path> roots = package_roots();
  for (const LinkPlacement& placement : robot.tree().links) {
    const UrdfLink& link = robot.urdf().link(placement.link);
    for (const Shape& shape : has_visuals ? link.visuals : link.collisions) {
      auto shown = scene_shape(shape, placement.T_body_link, robot.urdf().file, roots);
      if (shown) nodes[static_cast<std::size_t>(placement.body)].shapes.push_back(std::move(*shown));
    }
  }
  return nodes;
}

int add_link_node(const RobotModel& robot, const std::string& link, int first, std::vector<SceneNode>& nodes) {
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  nodes.push_back({.name = link, .parent = first + placement.body, .T_parent_node = placement.T_body_link});
  return static_cast<int>(nodes.size()) - 1;
}

}  // namespace aplomb
