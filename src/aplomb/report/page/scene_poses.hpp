#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/scene.hpp"

// Private to report/.

namespace aplomb {

/// Forward kinematics of a scene at the rows of its log, as in the page's script (web/src/scene_tree.ts). Looks
/// up columns once.
class ScenePoses {
 public:
  ScenePoses(const Scene& scene, const Log& log);  ///< throws UnknownName; both must outlive this object

  void update(std::size_t row);
  const Eigen::Isometry3d& in_parent(std::size_t node) const { return in_parent_[node]; }
  const Eigen::Isometry3d& in_world(std::size_t node) const { return in_world_[node]; }
  /// Position in the world [m]; absent where a column has no value at this row.
  std::optional<Eigen::Vector3d> marker(std::size_t index) const { return in_world_frame(markers_[index]); }
  std::optional<Eigen::Vector3d> force_point(std::size_t index) const { return in_world_frame(force_points_[index]); }
  std::optional<Eigen::Vector3d> force(std::size_t index) const;  ///< [N], world axes
  double joint(std::size_t node) const { return value(joints_[node]); }

 private:
  /// Index of a column of the log or, with an offset, of the scene's tracks; -1: none.
  using Column = std::ptrdiff_t;
  struct Point {
    int node = -1;
    Eigen::Vector3d constant;
    std::array<Column, 3> columns;
  };
  Column find(const std::string& name) const;
  Point find(const ScenePoint& point) const;
  double value(Column column) const;
  std::optional<Eigen::Vector3d> vector(const Eigen::Vector3d& constant, const std::array<Column, 3>& columns) const;
  std::optional<Eigen::Vector3d> in_world_frame(const Point& point) const;

  const Scene* scene_;
  const Log* log_;
  std::size_t row_ = 0;
  std::vector<Column> joints_;
  std::vector<std::array<Column, 7>> free_;
  std::vector<Point> markers_, force_points_;
  std::vector<std::array<Column, 3>> forces_;
  std::vector<Eigen::Isometry3d> in_parent_, in_world_;
};

}  // namespace aplomb
