#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Limbs of a humanoid: which body is the thigh, which joint the knee. Found from the roles, the positions and the axes
/// of the joints; bodies are numbered as in TreeKinematics.
struct Limbs {
  struct Leg {
    int thigh = 0, shank = 0, foot = 0;
    int hip = -1, knee = -1, ankle = -1;  ///< flexion joints of the leg
    double knee_sign = 1.0;               ///< sign of the knee angle in flexion
  };
  struct Arm {
    int upper_arm = 0, forearm = 0, hand = 0;
    int elbow = -1;  ///< joint index; -1 when the robot has no arm
    bool is_there = false;
    /// Centre of the shoulder, in the upper arm's frame: the point nearest to the last three joint axes above the elbow
    /// in the neutral posture [m].
    Eigen::Vector3d shoulder = Eigen::Vector3d::Zero();
    /// Wrist, in the forearm's frame: the first joint below it, or the hand's link without such a joint [m].
    Eigen::Vector3d wrist = Eigen::Vector3d::Zero();
  };
  int pelvis = 0, trunk = 0, head = 0;
  std::array<Leg, 2> legs;
  std::array<Arm, 2> arms;
  double thigh_length = 0.0, shank_length = 0.0, ankle_height = 0.0;  ///< means of both sides [m]
  Eigen::Vector3d hips = Eigen::Vector3d::Zero();  ///< mid-point of the hip joints, in the pelvis body's frame [m]
  std::vector<std::string> notes;                  ///< absent roles and their substitutes

  double leg_length() const { return thigh_length + shank_length; }
  Eigen::Vector3d ankles(const TreeKinematics& tree) const;  ///< mid-point of the ankle joints [m]
};

/// Throws InvalidValue unless the robot has two legs, each with a sole and a knee.
Limbs find_limbs(const RobotModel& robot);
/// As find_limbs(), but absent when the robot has no such legs.
std::optional<Limbs> limbs_if_any(const RobotModel& robot);

/// Index of the body that a link belongs to.
int body_of(const RobotModel& robot, const std::string& link);

}  // namespace aplomb
