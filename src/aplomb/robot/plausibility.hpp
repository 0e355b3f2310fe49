#pragma once

#include <string>
#include <vector>

#include "aplomb/robot/urdf.hpp"

namespace aplomb {

enum class InertiaPolicy {
  refuse,  ///< an impossible inertia is an error
  repair,  ///< the nearest possible inertia is taken, and reported
};

/// A link together with everything that is fixed to it: what dynamics sees as one rigid body.
struct RigidBody {
  std::string link;                  ///< the link whose frame the body has: the child of a moving joint, or the root
  int joint = -1;                    ///< index in Urdf::joints of the moving joint above it, -1 for the root
  int parent = -1;                   ///< index of the parent body, -1 for the root
  Inertia inertia;                   ///< of all merged links, in this body's frame
  Eigen::Isometry3d T_parent_joint = Eigen::Isometry3d::Identity();  ///< placement of the joint in the parent body
};

/// Where a link of the file went: the body that it moves with, and its pose there.
struct LinkPlacement {
  std::string link;
  int body = 0;
  Eigen::Isometry3d T_body_link = Eigen::Isometry3d::Identity();
};

/// The tree of rigid bodies, depth first in the file's order, fixed links merged into their parents.
struct BodyTree {
  std::vector<RigidBody> bodies;
  std::vector<LinkPlacement> links;
  std::vector<std::string> notes;  ///< locked mimic joints, repaired inertias
};

/// Merges fixed links (mimic joints are locked at neutral) and judges the bodies as physics would: throws FileError
/// with link, line and reason on a negative mass, a moving body without mass (unless inside a multi-axis joint: one
/// massless body with exactly one moving child), an inertia that is not positive definite or that breaks the triangle
/// inequality. A URDF whose root is an empty link above a floating joint gets that joint's child as its root.
BodyTree build_body_tree(const Urdf& urdf, InertiaPolicy policy);

}  // namespace aplomb
