#pragma once

#include <string>
#include <vector>

#include "aplomb/motion/formats/raw_motion.hpp"

namespace aplomb {

/// One way to read the numbers of a file.
struct Reading {
  QuaternionOrder quaternion = QuaternionOrder::xyzw;
  std::string joint_order = "depth-first";
  std::vector<int> joints;  ///< row of the file's joints -> joint of the robot
  std::string body_order = "depth-first";
  std::vector<int> bodies;                     ///< body of the file -> body of the robot
  double joint_unit = 1.0, length_unit = 1.0;  ///< [rad], [m]
};

/// The configurations under a reading, as RobotMotion::q.
Eigen::MatrixXd configurations(const RawMotion& raw, const RobotModel& robot, const Reading& reading);

/// How far the bodies of the file are from forward kinematics, over some frames.
struct BodyMismatch {
  double position = 0.0;  ///< largest, relative to the base [m]
  double angle = 0.0;     ///< largest [rad]
  int body = 0;           ///< of the robot, with the largest distance
  Eigen::Index frame = 0;
};
BodyMismatch body_mismatch(const RawMotion& raw, const RobotModel& robot, const Reading& reading);

/// What the soles say about a reading: in most motions one of them is level, low and below the base.
struct SoleEvidence {
  bool is_known = false;         ///< the robot has soles
  double median_tilt = 0.0;      ///< of the flatter sole [rad]
  double median_height = 0.0;    ///< of the lower sole's lowest corner [m]
  double low_height = 0.0;       ///< the same, exceeded in nine frames of ten [m]
  double base_above_sole = 0.0;  ///< median height of the base above that corner [m]
};
SoleEvidence sole_evidence(const Eigen::MatrixXd& q, const RobotModel& robot);

}  // namespace aplomb
