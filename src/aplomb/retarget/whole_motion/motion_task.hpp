#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/shapes/capsule.hpp"

namespace aplomb {

/// A sole that stands on the ground at one place after the other: a surface contact with six force components.
struct SoleContact {
  std::string name;
  int body = 0;
  Eigen::Isometry3d T_body_sole = Eigen::Isometry3d::Identity();  ///< origin at the sole's centre, z along its normal
  std::vector<Eigen::Isometry3d> places;                          ///< T_world_sole of each stance
  std::vector<Eigen::Index> place;  ///< by frame: index in `places` of where it stands, or has stood, or will
  Eigen::Vector2d half_size = Eigen::Vector2d::Zero();  ///< largest distance of the CoP from the centre, x and y [m]
  double friction = 0.6;
  Eigen::VectorXd least_force;  ///< smallest normal force while it bears, by frame [N]
  std::vector<char> is_active;  ///< bears, by frame
  std::vector<char> is_placed;  ///< is where it stands, by frame: it bears, has just borne or is about to

  const Eigen::Isometry3d& T_world_sole(Eigen::Index frame) const {
    return places[static_cast<std::size_t>(place[static_cast<std::size_t>(frame)])];
  }
};

/// A body part on a fixed point of the world: a seat pad, a hand on an arm rest.
struct PointContact {
  std::string name;
  int body = 0;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< in the world [m]
  double friction = 0.4;
  Eigen::VectorXd least_force, largest_force;  ///< vertical, by frame [N]
  std::vector<char> is_active;                 ///< by frame
};

/// Equation or bound of a point of a body, by frame:  direction · x = value, or ≥ value.
struct PointCondition {
  std::string name;
  int body = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
  Eigen::VectorXd value;        ///< by frame [m]
  std::vector<char> is_active;  ///< by frame
};

/// Everything that defines a whole motion of a robot: contacts, limits and references at equally spaced frames. The
/// robot is at rest in the first and in the last one.
struct MotionTask {
  double step_s = 0.02;         ///< time between two frames
  Eigen::MatrixXd first_guess;  ///< flat coordinates, one column per frame

  std::vector<SoleContact> soles;
  std::vector<PointContact> points;
  std::vector<PointCondition> equations;
  std::vector<PointCondition> bounds;

  std::vector<RobotMarker> markers;
  Eigen::MatrixXd marker_targets;  ///< three rows per marker, one column per frame [m]

  Eigen::Matrix3Xd com;         ///< reference [m]
  Eigen::Matrix3Xd com_weight;  ///< price of the squared distance, by axis and frame [1/(m² s)]; 0: not prescribed

  /// Axes and frames in which the CoM is an equation instead (3 × frames, nonzero: yes); empty: none.
  Eigen::Matrix<char, 3, Eigen::Dynamic> com_is_equation;

  Eigen::VectorXd lower, upper;                                         ///< joint ranges [rad]
  Eigen::VectorXd speed;                                                ///< joint speed limits [rad/s]
  Eigen::VectorXd torque;                                               ///< joint torque limits [N m]
  double least_force_per_weight = 0.5, largest_force_per_weight = 1.5;  ///< vertical, all contacts together
  struct Pair {
    Capsule first, second;
    double gap = 0.0;
    std::string name;
  };
  std::vector<Pair> pairs;

  Eigen::VectorXd posture;         ///< preferred joint positions [rad]
  Eigen::VectorXd posture_weight;  ///< [1/(rad² s)]
  Eigen::VectorXd jerk_weight;     ///< by flat coordinate [s⁵/rad²]
  double force_rate_weight = 0.0;  ///< of (rate of a force / weight)² [s]
  double friction_weight = 0.0;    ///< of (tangential force of a contact / weight)² [1/s]
  double lever = 0.1;              ///< arm by which moments are compared with forces [m]

  Eigen::Index num_frames() const { return first_guess.cols(); }
};

}  // namespace aplomb
