#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace aplomb {

/// Visual or collision geometry of a link, posed in the link's frame.
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  Eigen::Isometry3d T_link_shape = Eigen::Isometry3d::Identity();
  /// box: full edges; sphere: (radius, -, -); cylinder, capsule: (radius, length along z, -), a capsule's length
  /// without its caps; mesh: scale. [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::string mesh_file;  ///< as written in the URDF, only for a mesh
};

/// Candidates for the farthest point of a shape along `direction`, both in the link's frame; none for a mesh [m].
std::vector<Eigen::Vector3d> outer_points(const Shape& shape, const Eigen::Vector3d& direction);

}  // namespace aplomb
