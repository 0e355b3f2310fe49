#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// A planned motion of a robot: one column an instant, `rate_hz` apart.
struct Trajectory {
  std::string robot;         ///< whose joints these are
  std::string robot_sha256;  ///< of the URDF that was planned with; empty when unknown
  std::vector<std::string> joints;
  double rate_hz = 0.0;
  double start_s = 0.0;
  Eigen::MatrixXd q;     ///< as RobotState::q: base position [m], quaternion (x, y, z, w), angles [rad]
  Eigen::MatrixXd v, a;  ///< as RobotState::v, and its rate
  Eigen::Matrix3Xd com;  ///< planned centre of mass [m]
  Eigen::Matrix3Xd com_velocity, com_acceleration;
  Eigen::Matrix2Xd zmp;         ///< planned zero-moment point on the floor [m]
  Eigen::Matrix3Xd force;       ///< from all contacts together [N]
  Eigen::Matrix3Xd com_person;  ///< the demonstrator's, mapped to the robot [m]; empty when it is not known
  Eigen::VectorXd seat_share;   ///< of the vertical force that the seat carries, 0 to 1
  Eigen::Matrix2Xd hand_share;  ///< of the force that the left and the right hand carry; empty: they touch nothing

  Eigen::Index num_samples() const { return q.cols(); }
  double time_s(Eigen::Index sample) const { return start_s + static_cast<double>(sample) / rate_hz; }
  double end_s() const { return time_s(num_samples() - 1); }
};

/// Which contacts act when.
struct ContactPlan {
  struct Contact {
    std::string name;  ///< "left_foot", "right_foot", "seat", "left_hand", ...
    std::string link;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the link's frame [m]
    double start_s = 0.0, end_s = 0.0;                ///< in the trajectory's time
  };
  std::vector<Contact> contacts;
  double chair_height_m = 0.0;  ///< 0: there is no chair

  bool acts(std::string_view name, double time_s) const;
};

}  // namespace aplomb
