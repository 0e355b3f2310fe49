#pragma once

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/dynamics/body_tree.hpp"
#include "aplomb/robot/shapes/sole.hpp"

namespace aplomb {

struct Schema;  // core/settings/schema.hpp

/// Actuation of the joints.
struct Actuation {
  enum class Kind { torque, servo };
  Kind kind = Kind::torque;
  double stiffness = 0.0;       ///< servo: [N m/rad]
  double damping = 0.0;         ///< servo: [N m s/rad]
  double armature = 0.0;        ///< rotor inertia reflected to the joint [kg m²]
  double default_effort = 0.0;  ///< effort limit of joints whose URDF has none or 0 [N m]; 0: no default
};

/// Links by the names that scenarios use; empty where the robot has no such link.
struct Roles {
  std::string pelvis, trunk, head;
  std::array<std::string, 2> foot, hand;  ///< left, right

  /// The link that plays `role` ("left_hand"); nullptr for an unknown role, an empty name when this robot lacks it.
  const std::string* find(std::string_view role) const;
  static std::vector<std::string> names();  ///< all roles
};

/// A frame defined in the YAML, for a role for which no link of the URDF has the right axes.
struct ExtraFrame {
  std::string link;  ///< link that it is fixed to
  Eigen::Isometry3d T_link_frame = Eigen::Isometry3d::Identity();
};

/// Contents of the YAML beside a URDF.
struct RobotDescription {
  std::string name;
  std::string about;
  std::filesystem::path file;  ///< path of the YAML; empty when there is none
  std::filesystem::path urdf;  ///< path, or `package://PACKAGE/FILE`, which read_urdf looks up
  std::string cad;             ///< name of the robot whose URDF is the CAD model of this one; empty when none
  Roles roles;
  std::map<std::string, ExtraFrame> frames;  ///< by name
  std::array<std::optional<Sole>, 2> soles;
  std::map<std::string, std::map<std::string, double>> postures;  ///< name -> joint -> angle [rad]; absent joints: 0
  Actuation actuation;
  std::array<std::vector<Eigen::Vector2d>, 2> load_cells;  ///< x, y of each cell in the foot link's frame [m]
  InertiaPolicy inertia = InertiaPolicy::refuse;
};

/// Every key of a robot's YAML (docs/scenarios.md lists them).
const Schema& robot_schema();

/// Reads `robots/NAME/NAME.yaml`; throws FileError with line, column and the nearest valid key.
RobotDescription read_robot_yaml(const std::filesystem::path& file);

/// Adds the description's frames to the URDF as massless links, each fixed to its parent link. Frames that the URDF has
/// already are kept: it may come from another RobotModel. Throws UnknownName on a link that the URDF does not have,
/// FileError on a frame that has the name of a link or a joint.
Urdf with_frames(Urdf urdf, const RobotDescription& description);

/// Checks a description against the robot's URDF: throws UnknownName on a role's link or a posture's joint that the
/// URDF does not have (fixed and mimic joints cannot be posed), FileError on an angle outside the joint's limits.
void check_description(const RobotDescription& description, const Urdf& urdf);

}  // namespace aplomb
