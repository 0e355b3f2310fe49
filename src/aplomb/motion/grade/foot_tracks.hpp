#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// When a foot counts as standing: a corner of its sole is low, its sole's centre is slow, and both last.
struct StanceRule {
  double height_m = 0.05;
  double speed_m_per_s = 0.4;  ///< in all directions
  double shortest_s = 0.1;
};

/// A sole over a motion, one entry a frame.
struct FootTrack {
  int body = 0;                                                   ///< numbered as in TreeKinematics
  Eigen::Isometry3d T_body_foot = Eigen::Isometry3d::Identity();  ///< of the foot's link
  Sole sole;
  std::vector<double> lowest;         ///< height of the lowest corner [m]
  Eigen::Matrix3Xd centre, velocity;  ///< of the sole's centre
  Eigen::Matrix3Xd normal, forward;   ///< the sole's z and x axis in the world
  std::vector<bool> stance;
  std::vector<std::array<Eigen::Vector2d, 4>> corners;  ///< seen from above
};

/// Both soles over a motion of unit quaternions, left first. Throws InvalidValue when the robot has no soles.
std::array<FootTrack, 2> track_feet(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                                    const StanceRule& rule);

}  // namespace aplomb
