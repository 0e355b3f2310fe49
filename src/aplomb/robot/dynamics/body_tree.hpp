#pragma once

#include <string>
#include <vector>

#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

enum class InertiaPolicy {
  refuse,  ///< an impossible inertia is an error
  repair,  ///< replaced by the nearest possible inertia; joints that move no mass are locked; both are reported
};

/// A link together with everything fixed to it: one rigid body of the dynamics.
struct RigidBody {
  std::string link;  ///< link whose frame is the body frame: child of the moving joint, or the root
  int joint = -1;    ///< index in Urdf::joints of the moving joint above it, -1 for the root
  int parent = -1;   ///< index of the parent body, -1 for the root
  Inertia inertia;   ///< sum over all merged links, in the body frame
  Eigen::Isometry3d T_parent_joint = Eigen::Isometry3d::Identity();  ///< placement of the joint in the parent body
};

/// A link of the file: the body that it belongs to, and its pose in it.
struct LinkPlacement {
  std::string link;
  int body = 0;
  Eigen::Isometry3d T_body_link = Eigen::Isometry3d::Identity();
};

/// The tree of rigid bodies, depth first in the file's order (parents before children), fixed links merged into their
/// parents. Every joint in it is revolute, continuous or prismatic.
struct BodyTree {
  std::vector<RigidBody> bodies;
  std::vector<LinkPlacement> links;  ///< all links except those above a floating joint: they are not on the robot
  std::vector<std::string> notes;    ///< locked joints, repaired inertias, a base that became floating

  /// Bodies from `body` upwards, without `top` and without the root.
  std::vector<int> chain(int body, int top = 0) const;
};

/// Merges fixed links and checks the bodies for physical consistency. A mimic joint is locked at its position while the
/// joint that it follows is at zero; with `repair`, a joint that moves no mass at all is locked at zero. Where the root
/// is an empty link above a floating (or planar) joint, that joint's child becomes the root. Throws FileError with
/// link, line and reason on
///   a negative mass, and a root without mass (base and joints would then move the same mass: M is singular);
///   a moving body without mass, unless inside a multi-axis joint: massless bodies in a row, each with exactly one
///   moving joint below, then a body with mass; at most six joints in a row, with linearly independent twists;
///   an inertia that is not positive definite or that violates the triangle inequality (`refuse`);
///   a floating or planar joint anywhere else.
BodyTree build_body_tree(const Urdf& urdf, InertiaPolicy policy);

}  // namespace aplomb
