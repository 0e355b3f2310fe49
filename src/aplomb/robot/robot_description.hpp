#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/robot/plausibility.hpp"
#include "aplomb/robot/sole.hpp"

namespace aplomb {

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
