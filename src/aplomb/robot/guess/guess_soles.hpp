#pragma once

// Private to robot/: the part of guess_description that uses the geometry of the feet.
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aplomb/robot/mesh/mesh.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Geometry of a body and of all links fixed to it, in the body frame [m].
struct FootShape {
  struct Ball {
    Eigen::Vector3d centre;
    double radius;
  };
  std::vector<Eigen::Vector3d> points;
  std::vector<Ball> balls;
  std::string from;        ///< "collision shapes", "visual shapes"; empty without any geometry
  std::string unreadable;  ///< why the first of its meshes could not be read; empty when none is unreadable

  std::vector<Eigen::Vector3d> points_towards(
      const Eigen::Vector3d& direction) const;  ///< a ball by its farthest point
};

/// Collision geometry, or else visual geometry. An unreadable mesh is left out, and named.
FootShape foot_shape(const RobotModel& model, int body, std::span<const std::filesystem::path> package_roots,
                     ColladaUpAxis up_axis = ColladaUpAxis::ignored);

/// The flat part on which a foot rests.
struct RestingPlane {
  Eigen::Matrix3d R_body_sole;  ///< x forward, z up
  Sole sole;                    ///< in these axes, relative to the body's origin
  double length = 0.0;          ///< length of the foot seen from above, along x [m]
  double forward_share = 0.5;   ///< fraction of that length ahead of the body's origin

  double sole_length() const { return sole.x_max - sole.x_min; }
  double sole_width() const { return sole.y_max - sole.y_min; }
};

/// Finds the plane on which the foot rests with `up_in_body` upwards: the rectangle around its lowest 3 mm, shrunk to
/// the area of their outline. A foot that is not flat in this orientation is rolled by at most 45 degrees until it is.
/// Absent when the foot touches at a point or a line only.
std::optional<RestingPlane> find_resting_plane(const FootShape& shape, const Eigen::Vector3d& up_in_body,
                                               const Eigen::Vector3d& forward_in_body);

}  // namespace aplomb
