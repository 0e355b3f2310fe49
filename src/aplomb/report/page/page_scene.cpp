#include "aplomb/report/page/page_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/packed_columns.hpp"
#include "aplomb/report/page/page_parts.hpp"
#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

/// The largest frame rate of a replay [1/s], and how many frames it has at most; longer ones have a lower rate.
struct Frames {
  double rate;
  std::size_t most;
};
constexpr Frames kFrames = {100.0, 3000};
constexpr Frames kFramesOfChapter = {50.0, 600};  // a page has several of them

const char* name_of(SceneShape::Kind kind) {
  constexpr const char* kNames[] = {"box", "sphere", "cylinder", "capsule", "hull", "plane", "mesh"};
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
  SceneWriter(const Scene& scene, const Log& log, PageMeshes& meshes) : scene_(scene), log_(log), meshes_(meshes) {}

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
      Json one = {{"node", sole.node}, {"corners", corners}, {"loaded", column(sole.loaded_column)}};
      if (!sole.fault_column.empty()) one["fault"] = column(sole.fault_column);
      array.push_back(std::move(one));
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
  Json json_of_shape(const SceneShape& shape) const {
    Json colour = nullptr;
    if (shape.colour) {
      colour = Json::array();
      for (const double part : *shape.colour) colour.push_back(std::round(part * 255.0) / 255.0);
    }
    if (shape.kind == SceneShape::Kind::mesh) {
      return {{"kind", "mesh"},          {"pose", json_of(shape.T_node_shape)}, {"size", json_of(shape.size)},
              {"points", Json::array()}, {"mesh", meshes_.add(shape)},          {"colour", colour}};
    }
    Json points = Json::array();
    for (const Eigen::Vector3d& one : shape.points) {
      for (const double part : one) points.push_back(std::round(part * 1e4) / 1e4);
    }
    return {{"kind", name_of(shape.kind)},
            {"pose", json_of(shape.T_node_shape)},
            {"size", json_of(shape.size)},
            {"points", points},
            {"colour", colour}};
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
  PageMeshes& meshes_;
};

Json phases_json(const Scene& scene) {
  Json array = Json::array();
  for (const ScenePhase& phase : scene.phases)
    array.push_back({{"start", json_of(phase.start_s)}, {"text", phase.text}});
  return array;
}

void append_code(std::uint16_t code, std::string& bytes) {
  bytes.push_back(static_cast<char>(code & 0xff));
  bytes.push_back(static_cast<char>(code >> 8));
}

/// Number of log rows between two frames.
std::size_t stride_of(const Log& log, std::size_t time_column, double rate) {
  if (log.num_rows() < 2) return 1;
  const double first = log.at(0, time_column), last = log.at(log.num_rows() - 1, time_column);
  const double rows_per_s = static_cast<double>(log.num_rows() - 1) / (last - first);
  if (!(rows_per_s > rate) || !std::isfinite(rows_per_s)) return 1;
  return static_cast<std::size_t>(std::llround(rows_per_s / rate));
}

/// Every column that the scene names.
std::set<std::string> used_columns(const Scene& scene) {
  std::set<std::string> used = {"time_s"};
  const auto use = [&used](const auto& names) { used.insert(names.begin(), names.end()); };
  for (const SceneNode& node : scene.nodes) {
    used.insert(node.joint_column);
    use(node.pose_columns);
  }
  for (const SceneMarker& marker : scene.markers) use(marker.point.columns);
  for (const SceneForce& force : scene.forces) {
    use(force.point.columns);
    use(force.columns);
  }
  for (const SceneSole& sole : scene.soles) use(std::array{sole.loaded_column, sole.fault_column});
  return used;
}

/// The log with these of its columns only.
Log selected(const Log& log, const std::set<std::string>& names) {
  std::vector<std::string> columns;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < log.columns().size(); ++i) {
    if (!names.contains(log.columns()[i])) continue;
    columns.push_back(log.columns()[i]);
    indices.push_back(i);
  }
  Log some(columns);
  some.reserve(log.num_rows());
  std::vector<double> row(indices.size());
  for (std::size_t i = 0; !indices.empty() && i < log.num_rows(); ++i) {
    for (std::size_t k = 0; k < indices.size(); ++k) row[k] = log.at(i, indices[k]);
    some.append(row);
  }
  return some;
}

Json packed_motion(const Log& log, const Log& tracks, const std::vector<std::size_t>& rows) {
  const PackedColumns packed = pack_columns({&log, &tracks}, rows);
  Json columns = Json::array();
  for (const PackedColumn& one : packed.columns) {
    columns.push_back({{"name", one.name}, {"unit", unit_of(one.name)}, {"low", one.low}, {"step", one.step}});
  }
  return {{"rows", log.num_rows()},
          {"time", column_json(log, log.index("time_s"), rows)},
          {"columns", columns},
          {"base64", packed.base64}};
}

Json motion_json(const Scene& scene, const Log& log, MotionData wanted) {
  const std::size_t time = log.index("time_s");
  const Frames& frames = wanted == MotionData::used ? kFramesOfChapter : kFrames;
  const std::vector<std::size_t> rows =
      evenly_spaced_rows(log.num_rows(), stride_of(log, time, frames.rate), frames.most);
  const std::set<std::string> used = used_columns(scene);
  const Log some = wanted == MotionData::used ? selected(log, used) : Log();
  return packed_motion(wanted == MotionData::used ? some : log, scene.tracks, rows);
}

}  // namespace

int PageMeshes::add(const SceneShape& mesh) {
  constexpr std::size_t kMostVertices = 65535;  // their indices have 16 bits
  if (mesh.points.empty() || mesh.points.size() > kMostVertices) {
    throw InvalidValue(
        fmt::format("a mesh of {} vertices cannot be shown; 1 to {} can", mesh.points.size(), kMostVertices));
  }
  // 16 bits a coordinate over the mesh's own extent: hundredths of a millimetre for a trunk.
  Eigen::Vector3d low = mesh.points.front(), high = low;
  for (const Eigen::Vector3d& point : mesh.points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const Eigen::Vector3d step = (high - low).cwiseMax(1e-9) / 65535.0;
  std::string points, corners;
  for (const Eigen::Vector3d& point : mesh.points) {
    for (int axis = 0; axis < 3; ++axis) {
      append_code(static_cast<std::uint16_t>(std::lround((point[axis] - low[axis]) / step[axis])), points);
    }
  }
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) append_code(static_cast<std::uint16_t>(corner), corners);
  }
  Json one{{"low", {low.x(), low.y(), low.z()}},
           {"step", {step.x(), step.y(), step.z()}},
           {"points", base64_of(points)},
           {"triangles", base64_of(corners)}};
  const auto [place, is_new] = indices_.emplace(one.dump(), static_cast<int>(meshes_.size()));
  if (is_new) meshes_.push_back(std::move(one));
  return place->second;
}

Json motion_part(const Log& log, const Log& tracks) {
  std::vector<std::size_t> rows(log.num_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return packed_motion(log, tracks, rows);
}

Json scene_json(const Scene& scene, const Log& log, PageMeshes& meshes, MotionData wanted) {
  if (!scene.tracks.columns().empty() && scene.tracks.num_rows() != log.num_rows()) {
    throw InvalidValue(
        fmt::format("the scene's tracks have {} rows, its log has {}", scene.tracks.num_rows(), log.num_rows()));
  }
  const SceneWriter writer(scene, log, meshes);
  return {{"nodes", writer.nodes()},
          {"markers", writer.markers()},
          {"forces", writer.forces()},
          {"soles", writer.soles()},
          {"events", writer.events()},
          {"phases", phases_json(scene)},
          {"metres_per_newton", scene.metres_per_newton},
          {"motion", motion_json(scene, log, wanted)}};
}

}  // namespace aplomb
