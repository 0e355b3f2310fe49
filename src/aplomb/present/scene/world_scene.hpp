#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "aplomb/report/scene.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// Columns that are functions of time alone, e.g. the pose of a moving support, for Scene::tracks.
class SceneTracks {
 public:
  void add(const std::array<std::string, 3>& columns, std::function<Eigen::Vector3d(double time_s)> value);
  /// Adds seven columns: position and quaternion (x, y, z, w).
  void add(const std::array<std::string, 7>& columns, std::function<Eigen::Isometry3d(double time_s)> pose);
  Log log(const std::vector<double>& times) const;  ///< one row per time; no columns when nothing was added

 private:
  std::vector<std::string> names_;
  std::vector<std::function<void(double, std::vector<double>&)>> writers_;  ///< each appends its columns to a row
};

/// Adds floor, supports, chair, walls and boxes as in the simulator; planes get a finite size.
void add_world_to_scene(const World& world, std::vector<SceneNode>& nodes, SceneTracks& tracks);

}  // namespace aplomb
