#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A motion of a robot: configurations at a constant rate, and nothing else. Other tools write and read these.
struct RobotMotion {
  double rate_hz = 0.0;
  /// As RobotState::q, one column a frame, in the robot's joint order. Quaternions are as the file has them: of unit
  /// length to its digits, of any sign. unit_quaternions() is for computing.
  Eigen::MatrixXd q;

  Eigen::Index num_frames() const { return q.cols(); }
  double duration_s() const { return static_cast<double>(num_frames() - 1) / rate_hz; }
};

/// The same configurations with quaternions of unit length whose sign does not change from frame to frame.
Eigen::MatrixXd unit_quaternions(const Eigen::MatrixXd& q);

/// The motion at another rate: positions and joints are interpolated linearly, orientations along the great circle. The
/// first frame is kept, and the last one when it is on the new grid.
RobotMotion resampled(const RobotMotion& motion, double rate_hz);

/// Joint rates and base twist (as RobotState::v) by central differences; one-sided ones at the ends.
Eigen::MatrixXd velocities(const RobotMotion& motion);

/// Motion of the robot's bodies (BodyTree::bodies, depth first: MuJoCo's order) in world axes, one column a frame.
struct BodyTracks {
  Eigen::MatrixXd position;          ///< three rows a body [m]
  Eigen::MatrixXd quaternion;        ///< w, x, y, z: four rows a body
  Eigen::MatrixXd linear_velocity;   ///< of the body's origin [m/s]
  Eigen::MatrixXd angular_velocity;  ///< [rad/s]
};
BodyTracks body_tracks(const RobotModel& robot, const RobotMotion& motion);

}  // namespace aplomb
