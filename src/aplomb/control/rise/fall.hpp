#pragma once

#include <Eigen/Core>

#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A fall that nothing prevents. The robot falls when its capture point is outside everything that bears by so much
/// that only a step would help, when its base leans far from the plan, or when its state is lost for good off the seat.
/// From then on the joints are damped, and those that the posture `fall_posture` of the robot's YAML names are drawn to
/// it by soft springs: bent knees bring the hips down on a shorter way, and arms keep clear. It does not end.
class Fall {
 public:
  /// What one tick shows.
  struct Tick {
    bool is_state_lost = false;       ///< the robot's state is not measured
    bool is_seat_below = false;       ///< the seat bears, or the robot comes down on it
    double capture_margin = 0.0;      ///< of the capture point to the edge of the soles; negative outside [m]
    double lean = 0.0;                ///< angle between the base's upright axis and the planned one [rad]
    const Command* before = nullptr;  ///< the controller's last command, whose torque fades
  };
  /// `height`: of the CoM when standing [m]. Allocates.
  Fall(const RobotModel& model, const DriveGains& drives, double height);

  void update(const Tick& tick);  ///< never allocates
  bool is_falling() const { return is_falling_; }
  const Command& command() const { return command_; }  ///< of a falling robot

 private:
  double most_outside_;  ///< [m]
  int outside_ticks_ = 0, leaning_ticks_ = 0, lost_ticks_ = 0, falling_ticks_ = 0;
  bool is_falling_ = false;
  Eigen::VectorXd last_torque_;  ///< before the fall [N m]
  Command command_;
};

}  // namespace aplomb
