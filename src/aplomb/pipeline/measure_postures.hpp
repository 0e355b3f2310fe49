#pragma once

#include <cstdint>
#include <functional>

#include "aplomb/core/table/log.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The posture experiment of Mistry et al. 2010 in simulation: a robot holds postures on its feet, its sensors are
/// read. Postures are chosen and held as in a laboratory, with the robot's CAD (its own model when it names none): the
/// CAD's CoM is above the soles, the CAD's static torques are fed forward, stiff joints bear the rest. A robot that
/// tips or does not come to rest all the same is put into another posture.
struct PostureExperiment {
  int postures = 88;
  bool is_spatial = false;  ///< trunk, arms and lateral lean too; otherwise in the sagittal plane
  std::uint64_t seed = 1;
  double cop_noise_m = 0.002;          ///< standard deviation of the CoP of both feet together
  double force_noise_n = 2.0;          ///< of the vertical force of both feet together
  double joint_noise_rad = 0.0035;     ///< of every joint: 0.2 degrees
  double joint_zero_rad = 0.0;         ///< a constant error of each sagittal joint's zero, of either sign
  double foot_moment_offset_nm = 0.0;  ///< a constant error of the pitch moment of each foot's sensor
  double edge_margin_m = 0.03;         ///< smallest distance of the CAD's CoM, and of the measured CoP, to heel and toe
  bool measures_torques = false;       ///< the torque of every joint too, as in the paper
  double torque_noise_nm = 1.0;        ///< standard deviation of every joint torque
};

/// Ranges of motion in Mistry et al. 2010, from the half-sitting posture on: hip 1.47, knee 1.69, ankle and torso 0.56
/// rad. Returns the
/// table of a posture file (docs/identification.md). `on_progress` gets the number of postures recorded so far.
/// Throws InvalidValue when too few postures can be held.
Log measure_postures(const RobotModel& robot, const PostureExperiment& options = {},
                     const std::function<void(double)>& on_progress = {});

/// The stand-up path: minimum jerk from `seated` through 0.8 rad of trunk bend to `half_sitting`, feet flat. Robots
/// without a seated posture bend knees and hips instead.
std::vector<RobotState> stand_up_path(const RobotModel& robot);

}  // namespace aplomb
