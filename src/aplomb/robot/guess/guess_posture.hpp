#pragma once

// Private to robot/: the posture that guess_description solves for.
#include <array>
#include <vector>

#include "aplomb/robot/guess/guess_limbs.hpp"

namespace aplomb {

/// The joints from the pelvis down to a foot. The knee is the middle one of those about the lateral axis.
struct Leg {
  std::vector<int> joints;
  int knee = -1;         ///< joint index; −1: none
  double flexion = 0.0;  ///< sign of the knee angle in flexion, from its limits; 0: undecided
};

Leg find_leg(const NeutralTree& tree, const GuessedLimbs& limbs, int foot);

/// Desired posture, in a world with x forward and z up.
struct PostureRequest {
  std::array<Leg, 2> legs;                        ///< left, right
  std::array<double, 2> knee{0.0, 0.0};           ///< knee angles, left and right [rad]
  std::vector<int> waist;                         ///< joints from the pelvis up to the trunk
  Eigen::Matrix3d R_world_pelvis, R_world_trunk;  ///< orientations when upright
  double trunk_lean = 0.0;                        ///< forward lean of the trunk from upright [rad]
  double stance_width = 0.0;                      ///< distance between the soles' centres [m]
};

struct FoundPosture {
  RobotState state;
  double feet_error = 0.0;    ///< largest deviation of a sole from flat and level [m], [rad]
  double com_error = 0.0;     ///< distance of the CoM from the middle of the soles, seen from above [m]
  double trunk_error = 0.0;   ///< deviation from upright [rad]
  double torque_ratio = 0.0;  ///< largest static torque over its limit
  std::string torque_joint;   ///< joint of that ratio
};

/// Solves for a posture by Gauss-Newton with two priority levels, inside the joint limits. First: feet flat, level and
/// side by side, CoM above the middle of the soles. Second: pelvis upright, trunk at its lean, knees at their angles,
/// other joints near zero. `model` must have both soles.
FoundPosture solve_posture(const RobotModel& model, const PostureRequest& request);

}  // namespace aplomb
