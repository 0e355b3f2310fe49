#pragma once

#include <Eigen/Geometry>
#include <limits>

#include "aplomb/robot/shapes/sole.hpp"

namespace aplomb {

/// A patch of contact with its friction. Its axes: x, y along the ground, z along the ground's normal, towards the
/// robot. Limits of its wrench, f_n the normal force:
///   tangential force inside a friction pyramid that is inscribed in Coulomb's cone (contact_limits.hpp),
///   CoP inside the rectangle half_length × half_width,   |moment about the normal| ≤ friction · twist_radius · f_n
struct ContactPatch {
  Eigen::Matrix3d R_world_contact = Eigen::Matrix3d::Identity();
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< point of application of its force, world frame [m]
  double half_length = 0.0, half_width = 0.0;       ///< half size of the rectangle [m]; zero for a point contact
  double twist_radius = 0.0;                        ///< [m]
  double friction = 0.0;                            ///< Coulomb's coefficient

  /// Sets the rectangle to a sole less margins at its edges, as fractions of its length and width, and the twist radius
  /// to a fraction of √(length · width): 0.42 for even pressure on a sole twice as long as wide.
  void fit_to(const Sole& sole, double margin_of_length, double margin_of_width, double twist_fraction);
};

/// A possible contact with the environment: a flat foot, or a hand at a point. The ground is assumed to be the plane of
/// the patch.
struct Contact : ContactPatch {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< centre of the patch, world frame; origin of the CoP [m]
  double availability = 0.0;  ///< 0: no load is admissible; 1: any load; between, while a contact is added or removed
  /// Compliance of the equations that keep the contact in place, over that of a joint's posture: zero on hard ground,
  /// positive where the surface or the body yields.
  double compliance = 0.0;
  double largest_force = std::numeric_limits<double>::infinity();  ///< largest normal force [N]
};

/// Wrench of a contact on the robot.
struct ContactLoad {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< world axes [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< about ContactPatch::point, world axes [N m]
  Eigen::Vector2d cop = Eigen::Vector2d::Zero();     ///< from Contact::centre, along the ground's x and y [m]
};

/// Rates of linear momentum and of angular momentum about the CoM.
struct MomentumRate {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [N m]
};

}  // namespace aplomb
