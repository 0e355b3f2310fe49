#pragma once

#include <Eigen/Geometry>

namespace aplomb {

/// A place where the world can push back: a flat foot, or a hand at a point. Its ground is taken to be what it lies on.
struct Contact {
  Eigen::Matrix3d R_world_ground = Eigen::Matrix3d::Identity();  ///< z: the ground's normal, towards the robot
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< where its force is reckoned to act, in the world [m]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of the patch, in the world; the CoP is counted from here [m]
  double half_length = 0.0, half_width = 0.0;        ///< of the patch that the CoP may use [m]; zero for a hand
  double twist_radius = 0.0;                         ///< |vertical moment| ≤ friction · radius · normal force [m]
  double friction = 0.0;                             ///< Coulomb's coefficient
  double availability = 0.0;  ///< 0: carries nothing; 1: as much as is wanted; between, while a foot comes or goes
};

/// What a contact does to the robot.
struct ContactLoad {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< world axes [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< about Contact::point, world axes [N m]
  Eigen::Vector2d cop = Eigen::Vector2d::Zero();     ///< from Contact::centre, along the ground's x and y [m]
};

/// What the momentum of a body shall do, or does: rates of linear momentum and of angular momentum about the CoM.
struct MomentumRate {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [N m]
};

}  // namespace aplomb
