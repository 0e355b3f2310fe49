#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/dynamics/inertia.hpp"
#include "aplomb/robot/shapes/shape.hpp"

namespace aplomb {

/// Contents of a URDF as written (or of an MJCF as compiled: mjcf/mjcf.hpp), with line numbers.
struct UrdfLink {
  std::string name;
  int line = 0;
  int inertial_line = 0;  ///< line of its <inertial>; 0 without one
  Inertia inertia;        ///< in the link's frame; all zero without an <inertial>
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
  double effort = 0.0;                              ///< [N m] or [N]; inf when the file has none
  double velocity = 0.0;                            ///< [rad/s] or [m/s]; inf when the file has none
  std::optional<double> armature;                   ///< [kg m²] or [kg]; only MJCF says it
  std::string mimics;                               ///< the joint that this one follows; empty for an independent joint
  double mimic_offset = 0.0;  ///< position while the joint that it follows is at zero [rad] or [m]

  bool is_mimic() const { return !mimics.empty(); }
};

struct Urdf {
  std::string name;
  std::filesystem::path file;
  std::vector<UrdfLink> links;     ///< in the file's order
  std::vector<UrdfJoint> joints;   ///< in the file's order
  std::vector<std::string> notes;  ///< ignored elements and assumptions, for the user

  const UrdfLink& link(std::string_view link_name) const;  ///< throws UnknownName
};

/// Reads a URDF as untrusted input: bounded size (50 MB) and depth (200), no DTD, no entities; every number finite,
/// every name unique and known, one root, no loop. Unused elements are skipped, unless they look like a misspelt one.
/// Throws FileError with the line, the link or joint and the reason. `package://PACKAGE/FILE` is looked for in
/// package_roots(); a missing package is an Error that says how to install it.
Urdf read_urdf(const std::filesystem::path& file);

/// The same for a text in memory; `file` is its name in errors.
Urdf parse_urdf(std::string_view text, const std::filesystem::path& file);

/// Writes a copy of `original` in which the given links have new inertias (each in its link's frame); every other byte
/// is unchanged, and reading the copy gives the same numbers to the last bit. `out` is written atomically and may be
/// `original` itself. Mesh files named by a relative path are looked for beside the copy.
/// Throws FileError; UnknownName for a link; InvalidValue for an impossible number.
void write_urdf_with_inertias(const std::filesystem::path& original,
                              const std::map<std::string, Inertia>& link_inertias, const std::filesystem::path& out);

}  // namespace aplomb
