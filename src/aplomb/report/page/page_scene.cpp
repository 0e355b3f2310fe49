#include "aplomb/report/page/page_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/packed_columns.hpp"
#include "aplomb/report/page/page_parts.hpp"
#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kFrameRate = 100.0;       // [1/s] largest frame rate of a replay
constexpr std::size_t kMostFrames = 3000;  // in a replay; longer ones have a lower frame rate

const char* name_of(SceneShape::Kind kind) {
  constexpr const char* kNames[] = {"box", "sphere", "cylinder", "capsule", "hull", "plane"};
  return kNames[static_cast<int>(kind)];
}
const char* name_of(SceneNode::Look look) {
  constexpr const char* kNames[] = {"robot", "person", "ground", "furniture", "wall"};
  return kNames[static_cast<int>(look)];
}
const char* name_of(SceneMarker::Kind kind) {
  constexpr const char* kNames[] = {"com", "com_reference", "cop", "zmp", "marker", "measured_marker"};
  return kNames[static_cast<int>(kind)];
}
const char* name_of(SceneForce::Kind kind) { return kind == SceneForce::Kind::push ? "push" : "contact"; }

/// A length rounded to micrometres, which is enough for drawing.
Json json_of(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value * 1e6) / 1e6;
  return rounded == 0.0 ? 0.0 : rounded;  // without the sign of zero
}

Json json_of(const Eigen::Vector3d& value) { return {json_of(value.x()), json_of(value.y()), json_of(value.z())}; }

Json json_of(const Eigen::Isometry3d& pose) {
  const Eigen::Quaterniond turn(pose.linear());
  Json array = json_of(Eigen::Vector3d(pose.translation()));
  for (const double part : {turn.x(), turn.y(), turn.z(), turn.w()}) array.push_back(json_of(part));
  return array;
}

/// Converts the parts of a scene to JSON, and checks that every column it names exists.
class SceneWriter {
 public:
  SceneWriter(const Scene& scene, const Log& log) : scene_(scene), log_(log) {}

  Json nodes() const {
    Json array = Json::array();
    for (const SceneNode& node : scene_.nodes) {
      Json shapes = Json::array();
      for (const SceneShape& shape : node.shapes) shapes.push_back(json_of_shape(shape));
      array.push_back({{"name", node.name},
                       {"look", name_of(node.look)},
                       {"parent", node.parent},
                       {"pose", json_of(node.T_parent_node)},
                       {"joint", column(node.joint_column)},
                       {"axis", json_of(node.axis)},
                       {"is_prismatic", node.is_prismatic},
                       {"lower", json_of(node.lower)},
                       {"upper", json_of(node.upper)},
                       {"free", columns(node.pose_columns)},
                       {"shapes", shapes}});
    }
    return array;
  }

  Json markers() const {
    Json array = Json::array();
    for (const SceneMarker& marker : scene_.markers) {
      array.push_back({{"kind", name_of(marker.kind)}, {"label", marker.label}, {"point", point(marker.point)}});
    }
    return array;
  }

  Json forces() const {
    Json array = Json::array();
    for (const SceneForce& force : scene_.forces) {
      array.push_back({{"kind", name_of(force.kind)},
                       {"label", force.label},
                       {"point", point(force.point)},
                       {"columns", columns(force.columns)},
                       {"is_in_node_axes", force.is_in_node_axes},
                       {"friction", json_of(force.friction)}});
    }
    return array;
  }

  Json soles() const {
    Json array = Json::array();
    for (const SceneSole& sole : scene_.soles) {
      Json corners = Json::array();
      for (const Eigen::Vector3d& corner : sole.corners) corners.push_back(json_of(corner));
      array.push_back({{"node", sole.node}, {"corners", corners}, {"loaded", column(sole.loaded_column)}});
    }
    return array;
  }

  Json events() const {
    Json array = Json::array();
    for (const SceneEvent& event : scene_.events) {
      array.push_back({{"start", json_of(event.start_s)}, {"end", json_of(event.end_s)}, {"label", event.label}});
    }
    return array;
  }

 private:
  static Json json_of_shape(const SceneShape& shape) {
    Json points = Json::array();
    for (const Eigen::Vector3d& one : shape.points) {
      for (const double part : one) points.push_back(std::round(part * 1e4) / 1e4);
    }
    return {{"kind", name_of(shape.kind)},
            {"pose", json_of(shape.T_node_shape)},
            {"size", json_of(shape.size)},
            {"points", points}};
  }

  Json point(const ScenePoint& one) const {
    return {{"node", one.node}, {"constant", json_of(one.constant)}, {"columns", columns(one.columns)}};
  }

  std::string column(const std::string& name) const {
    if (!name.empty() && !scene_.tracks.has(name)) log_.index(name);  // throws on an unknown one
    return name;
  }

  template <std::size_t count>
  Json columns(const std::array<std::string, count>& names) const {
    Json array = Json::array();
    for (const std::string& name : names) array.push_back(column(name));
    return array;
  }

  const Scene& scene_;
  const Log& log_;
};

/// Number of log rows between two frames.
std::size_t stride_of(const Log& log, std::size_t time_column) {
  if (log.num_rows() < 2) return 1;
  const double first = log.at(0, time_column), last = log.at(log.num_rows() - 1, time_column);
  const double rows_per_s = static_cast<double>(log.num_rows() - 1) / (last - first);
  if (!(rows_per_s > kFrameRate) || !std::isfinite(rows_per_s)) return 1;
  return static_cast<std::size_t>(std::llround(rows_per_s / kFrameRate));
}

Json motion_json(const Scene& scene, const Log& log) {
  const std::size_t time = log.index("time_s");
  const std::vector<std::size_t> rows = evenly_spaced_rows(log.num_rows(), stride_of(log, time), kMostFrames);
  const PackedColumns packed = pack_columns({&log, &scene.tracks}, rows);
  Json columns = Json::array();
  for (const PackedColumn& one : packed.columns) {
    columns.push_back({{"name", one.name}, {"unit", unit_of(one.name)}, {"low", one.low}, {"step", one.step}});
  }
  return {{"rows", log.num_rows()},
          {"time", column_json(log, time, rows)},
          {"columns", columns},
          {"base64", packed.base64}};
}

}  // namespace

Json scene_json(const Scene& scene, const Log& log) {
  if (!scene.tracks.columns().empty() && scene.tracks.num_rows() != log.num_rows()) {
    throw InvalidValue(
        fmt::format("the scene's tracks have {} rows, its log has {}", scene.tracks.num_rows(), log.num_rows()));
  }
  const SceneWriter writer(scene, log);
  return {{"nodes", writer.nodes()},          {"markers", writer.markers()},
          {"forces", writer.forces()},        {"soles", writer.soles()},
          {"events", writer.events()},        {"metres_per_newton", scene.metres_per_newton},
          {"motion", motion_json(scene, log)}};
}

}  // namespace aplomb
