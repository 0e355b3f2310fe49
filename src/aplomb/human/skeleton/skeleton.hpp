#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {

enum class Sex { female, male };

std::optional<Sex> parse_sex(std::string_view text);  ///< "F", "female", "m", ...

/// One angle of a joint. A coordinate that `follows` another equals ratio × the other's angle (linear coupling).
struct Coordinate {
  std::string name;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< in the frame rotated by the joint's previous angles
  double lower = 0.0, upper = 0.0;                  ///< [rad]
  std::string follows;
  double ratio = 1.0;
};

/// A rigid segment of the body. In the neutral posture (upright, arms hanging, thumbs forward, feet forward) every
/// segment's axes are x forward, y left, z up.
struct Segment {
  std::string name;
  int parent = -1;
  int mirror = -1;                                  ///< index of the segment on the other side; its own on the midline
  Eigen::Vector3d joint = Eigen::Vector3d::Zero();  ///< position of its joint in the parent's frame [m]
  Eigen::Vector3d generic_joint = Eigen::Vector3d::Zero();  ///< the same on the generic body [m]
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();          ///< size relative to the generic body, by axis
  std::vector<Coordinate> coordinates;                      ///< none for the root, which moves freely
  Inertia inertia;                                          ///< in the segment's frame
};

enum class SkeletonSize { light, full };  ///< 47 and 155 coordinates, the six of the root included

/// A body as a tree of segments, with the masses of a mean body of its sex (de Leva 1996, Dumas et al. 2007). The root
/// is the pelvis, its frame's origin the mid-point of the hip joints.
struct Skeleton {
  SkeletonSize size = SkeletonSize::light;
  Sex sex = Sex::male;
  double mass = 70.0;  ///< [kg]
  std::vector<Segment> segments;

  int segment(std::string_view name) const;  ///< index; throws UnknownName
  /// Origin of a segment's frame in the neutral posture, in the pelvis frame [m].
  Eigen::Vector3d neutral_origin(int segment) const;
  Eigen::Vector3d generic_origin(int segment) const;
  double height() const;  ///< from sole to vertex in the neutral posture [m]
  int num_coordinates() const;
};

inline constexpr double kGenericHeight = 1.75;        ///< height of the generic body [m]
inline constexpr double kGenericAnkleHeight = 0.080;  ///< height of its ankle over the sole [m]

/// The generic body, scaled uniformly to `height`.
Skeleton make_skeleton(SkeletonSize size, Sex sex, double height, double mass);

/// Recomputes every segment's inertia from its size, the sex and the mass, after a joint or a scale has changed.
void distribute_mass(Skeleton& skeleton);

}  // namespace aplomb
