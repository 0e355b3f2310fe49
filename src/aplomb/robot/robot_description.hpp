#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/robot/plausibility.hpp"

namespace aplomb {

/// The rectangle that touches the ground under a foot, in the foot link's frame. [m]
struct Sole {
  double x_min = 0.0, x_max = 0.0;  ///< heel, toe
  double y_min = 0.0, y_max = 0.0;  ///< right edge, left edge
  double z = 0.0;                   ///< negative: below the foot's origin

  Eigen::Vector3d centre() const { return {0.5 * (x_min + x_max), 0.5 * (y_min + y_max), z}; }
  std::array<Eigen::Vector3d, 4> corners() const;  ///< front left, front right, rear left, rear right
  /// Signed distance of a point of the sole's plane to its edge, positive inside.
  double margin(double x, double y) const;
};

/// How the joints are driven.
struct Actuation {
  enum class Kind { torque, servo };
  Kind kind = Kind::torque;
  double stiffness = 0.0;                             ///< servo: [N m/rad]
  double damping = 0.0;                               ///< servo: [N m s/rad]
  double armature = 0.0;                              ///< rotor inertia seen at the joint [kg m²]
  double default_effort = 0.0;                        ///< for joints whose URDF gives none; 0: no default
};

/// The names that scenarios use for links; an absent one is empty.
struct Roles {
  std::string pelvis, trunk, head;
  std::array<std::string, 2> foot, hand;  ///< left, right
};

/// What stands in the YAML beside a URDF.
struct RobotDescription {
  std::string name;
  std::string about;
  std::filesystem::path urdf;
  std::string cad;  ///< the robot whose URDF is this one's CAD; empty when none
  Roles roles;
  std::array<std::optional<Sole>, 2> soles;
  std::map<std::string, std::map<std::string, double>> postures;  ///< name -> joint -> angle [rad]; absent joints: 0
  Actuation actuation;
  InertiaPolicy inertia = InertiaPolicy::refuse;
};

/// Reads `robots/NAME/NAME.yaml`; throws FileError with line, column and the nearest valid key.
RobotDescription read_robot_yaml(const std::filesystem::path& file);

}  // namespace aplomb
