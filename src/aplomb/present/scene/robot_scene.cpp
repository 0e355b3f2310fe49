#include "aplomb/present/scene/robot_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/mesh/mesh.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

constexpr std::array kBaseColumns = {"base_x_m",          "base_y_m",          "base_z_m",         "base_quaternion_x",
                                     "base_quaternion_y", "base_quaternion_z", "base_quaternion_w"};
// Triangles of a robot's visual meshes in a report, all together: about 12 bytes each in the page.
constexpr std::size_t kMostTriangles = 50'000;
constexpr std::size_t kMostVertices = 65'535;  // of one mesh, as a page numbers them

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
  return SceneShape::Kind::mesh;
}

/// A URDF shape in the body frame.
SceneShape simple_shape(const Shape& shape, const Eigen::Isometry3d& T_body_link) {
  return {
      .kind = kind_of(shape.kind), .T_node_shape = T_body_link * shape.T_link_shape, .size = shape.size, .points = {}};
}

/// The colours that a URDF gives to its visuals.
class Colours {
 public:
  Colours(const RobotModel& robot, bool has_visuals) {
    try {
      if (has_visuals) by_link_ = visual_colours(robot.urdf().file);
    } catch (const Error&) {  // the file is not there any more: without colours
    }
  }
  std::optional<Colour> of(const std::string& link, std::size_t index) const {
    const auto found = by_link_.find(link);
    return found != by_link_.end() && index < found->second.size() ? found->second[index] : std::nullopt;
  }

 private:
  std::map<std::string, std::vector<std::optional<Colour>>> by_link_;
};

/// A mesh of the robot, and the node that shows it.
struct PlacedMesh {
  std::size_t node = 0;
  SceneShape shape;
  SurfaceMesh surface;
};

std::size_t num_triangles(const std::vector<PlacedMesh>& meshes) {
  std::size_t count = 0;
  for (const PlacedMesh& mesh : meshes) count += mesh.surface.triangles.size();
  return count;
}

std::size_t most_vertices(const std::vector<PlacedMesh>& meshes) {
  std::size_t most = 0;
  for (const PlacedMesh& mesh : meshes) most = std::max(most, mesh.surface.points.size());
  return most;
}

/// Reads a mesh, scaled as the URDF says; none where it cannot be read (RobotModel::notes() reports it).
std::vector<SurfaceMesh> read_scaled(const Shape& shape, const std::filesystem::path& urdf,
                                     const std::vector<std::filesystem::path>& roots) {
  try {
    std::vector<SurfaceMesh> meshes = read_surface(find_mesh_file(shape.mesh_file, urdf, roots));
    const bool is_mirrored = shape.size.prod() < 0.0;
    for (SurfaceMesh& mesh : meshes) {
      for (Eigen::Vector3d& point : mesh.points) point = shape.size.cwiseProduct(point);
      if (!is_mirrored) continue;
      for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    }
    return meshes;
  } catch (const Error&) {
    return {};
  }
}

/// Clusters the vertices of all meshes on grids of the same spacing, as fine as kMostTriangles allows.
void decimate(std::vector<PlacedMesh>& meshes) {
  Eigen::AlignedBox3d largest;
  for (const PlacedMesh& mesh : meshes) {
    for (const Eigen::Vector3d& point : mesh.surface.points) largest.extend(point);
  }
  if (largest.isEmpty()) return;
  // Half a thousandth of the largest part joins only vertices that the file repeats for each triangle (STL).
  double cell = 5e-4 * largest.diagonal().norm();
  std::vector<PlacedMesh> smaller;
  do {
    smaller = meshes;
    for (PlacedMesh& mesh : smaller) mesh.surface = clustered(mesh.surface, cell);
    // The number of triangles falls with the square of the spacing.
    cell *= std::max(1.1, std::sqrt(static_cast<double>(num_triangles(smaller)) / kMostTriangles));
  } while (num_triangles(smaller) > kMostTriangles || most_vertices(smaller) > kMostVertices);
  meshes = std::move(smaller);
}

/// All visual meshes of a robot, decimated. `shapes` are the links' visuals, else their collision shapes.
std::vector<PlacedMesh> placed_meshes(const RobotModel& robot, bool has_visuals) {
  const Colours colours(robot, has_visuals);
  const std::vector<std::filesystem::path> roots = package_roots();
  std::vector<PlacedMesh> meshes;
  for (const LinkPlacement& placement : robot.tree().links) {
    const UrdfLink& link = robot.urdf().link(placement.link);
    const std::vector<Shape>& shapes = has_visuals ? link.visuals : link.collisions;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].kind != Shape::Kind::mesh) continue;
      const std::optional<Colour> colour = colours.of(placement.link, i);
      for (SurfaceMesh& surface : read_scaled(shapes[i], robot.urdf().file, roots)) {
        SceneShape shape = simple_shape(shapes[i], placement.T_body_link);
        shape.kind = SceneShape::Kind::mesh;
        shape.size.setOnes();
        shape.colour = colour ? colour : surface.colour;
        meshes.push_back({static_cast<std::size_t>(placement.body), std::move(shape), std::move(surface)});
      }
    }
  }
  decimate(meshes);
  return meshes;
}

/// The decimated meshes of the robots of this process, since each chapter of a report shows the same robot again.
const std::vector<PlacedMesh>& meshes_of(const RobotModel& robot, bool has_visuals) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<PlacedMesh>> known;
  const std::lock_guard lock(mutex);
  const std::string key =
      fmt::format("{}\n{}\n{}", robot.urdf().file.string(), robot.tree().bodies.size(), has_visuals);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, placed_meshes(robot, has_visuals)).first->second;
}

/// A robot of which nothing can be drawn, since its meshes are missing: bones from joint to joint, and its ends.
void add_bones(std::vector<SceneNode>& nodes) {
  constexpr double kThickest = 0.03, kThinnest = 0.004;  // [m]
  std::vector<bool> is_end(nodes.size(), true);
  for (const SceneNode& node : nodes) {
    const Eigen::Vector3d end = node.T_parent_node.translation();
    const double length = end.norm();
    if (node.parent < 0) continue;
    is_end[static_cast<std::size_t>(node.parent)] = false;
    if (length < kThinnest) continue;
    SceneShape bone{.kind = SceneShape::Kind::capsule,
                    .size = {std::clamp(0.1 * length, kThinnest, kThickest), length, 0.0},
                    .points = {}};
    bone.T_node_shape.linear() = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), end).toRotationMatrix();
    bone.T_node_shape.translation() = 0.5 * end;
    nodes[static_cast<std::size_t>(node.parent)].shapes.push_back(std::move(bone));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_end[i]) continue;
    nodes[i].shapes.push_back({.kind = SceneShape::Kind::sphere, .size = {kThickest, 0.0, 0.0}, .points = {}});
  }
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
  const Colours colours(robot, has_visuals);
  for (const LinkPlacement& placement : robot.tree().links) {
    const UrdfLink& link = robot.urdf().link(placement.link);
    const std::vector<Shape>& shapes = has_visuals ? link.visuals : link.collisions;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].kind == Shape::Kind::mesh) continue;
      SceneShape shape = simple_shape(shapes[i], placement.T_body_link);
      shape.colour = colours.of(placement.link, i);
      nodes[static_cast<std::size_t>(placement.body)].shapes.push_back(std::move(shape));
    }
  }
  for (const PlacedMesh& mesh : meshes_of(robot, has_visuals)) {
    if (mesh.surface.triangles.empty()) continue;
    SceneShape shape = mesh.shape;
    shape.points = mesh.surface.points;
    shape.triangles = mesh.surface.triangles;
    nodes[mesh.node].shapes.push_back(std::move(shape));
  }
  if (std::ranges::all_of(nodes, [](const SceneNode& node) { return node.shapes.empty(); })) add_bones(nodes);
  return nodes;
}

int add_link_node(const RobotModel& robot, const std::string& link, int first, std::vector<SceneNode>& nodes) {
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  nodes.push_back({.name = link, .parent = first + placement.body, .T_parent_node = placement.T_body_link});
  return static_cast<int>(nodes.size()) - 1;
}

}  // namespace aplomb
