#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/shape.hpp"

namespace aplomb {

/// Mass, centre of mass and inertia about the centre of mass, in one link's frame.
struct Inertia {
  double mass = 0.0;                                          ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();              ///< [m]
  Eigen::Matrix3d about_com = Eigen::Matrix3d::Zero();        ///< [kg m²], axes of the link's frame
};

/// What a URDF says, as it says it: names, numbers and the line each stands on.
struct UrdfLink {
  std::string name;
  int line = 0;
  Inertia inertia;
  std::vector<Shape> visuals;
  std::vector<Shape> collisions;
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  std::string name;
  int line = 0;
  Type type = Type::fixed;
  std::string parent, child;
  Eigen::Isometry3d T_parent_joint = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit length, in the joint's frame
  double lower = 0.0, upper = 0.0;                  ///< [rad] or [m]; ±inf for a continuous joint
  double effort = 0.0;                              ///< [N m] or [N]; inf when the file gives none
  double velocity = 0.0;                            ///< [rad/s] or [m/s]; inf when the file gives none
  bool is_mimic = false;
};

struct Urdf {
  std::string name;
  std::filesystem::path file;
  std::vector<UrdfLink> links;    ///< in the file's order
  std::vector<UrdfJoint> joints;  ///< in the file's order
  std::vector<std::string> notes;  ///< what was ignored or assumed, for people to read

  const UrdfLink& link(std::string_view link_name) const;  ///< throws UnknownName
};

/// Reads a URDF without trust: bounded in size (50 MB) and depth (200), no DTD, no entities; every number finite,
/// every name unique and known, one root, no loop. Throws FileError with the line, the link or joint and the reason.
Urdf read_urdf(const std::filesystem::path& file);

/// The same for a text in memory; `file` is what errors call it.
Urdf parse_urdf(std::string_view text, const std::filesystem::path& file);

}  // namespace aplomb
