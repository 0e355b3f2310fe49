#pragma once

#include <cstdint>
#include <optional>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// What stands between a controller in another process and the drives: it passes commands that are new, finite and
/// timely, limits how fast they change, and damps the joints when none come. Once damped it stays so: only a new
/// session commands the robot again. Never allocates after construction.
class CommandGate {
 public:
  struct Settings {
    int watchdog_ticks = 10;  ///< damps when the newest command answers a reading that is older than this
    /// Largest change of the torque that a drive is asked for [1/s], as a share of its limit: from one end to the other
    /// within 10 ms. Position servos: their target may change as fast as their joint may move.
    double torque_rate = 200.0;
  };
  struct Counts {
    std::int64_t refused = 0;  ///< answers no reading of this session, older than one before, or not finite
    std::int64_t late = 0;     ///< ticks in which the command before was applied once more
    std::int64_t limited = 0;  ///< ticks in which a joint's change was limited
  };

  CommandGate(const RobotModel& model, const Settings& settings);  ///< throws InvalidValue

  /// Offers a command that answers the reading of tick `answers`, at the latest this tick's.
  void offer(std::uint64_t answers, const Command& command);
  void controller_left() { has_left_ = true; }
  /// The command for tick `tick` (1, 2, ...), in which the joints are at `q` and `v` (of the robot's state; what is not
  /// finite is replaced by the last finite value).
  const Command& pass(std::uint64_t tick, const RobotState& state);

  bool is_damping() const { return damped_since_ != 0; }
  std::uint64_t damped_since() const { return damped_since_; }  ///< tick; 0: not damped
  std::uint64_t last_answered() const { return answered_; }     ///< tick of the newest command; 0: there was none
  const Counts& counts() const { return counts_; }

 private:
  void limit_torques();
  void limit_positions();
  double torque_of(int joint) const;  ///< that the drive is asked for, within its limit [N m]
  void damp();

  const RobotModel* model_;
  Settings settings_;
  bool is_servo_;
  Eigen::VectorXd damping_;  ///< [N m s/rad]
  Eigen::VectorXd q_, v_;    ///< joints, last finite values
  Eigen::VectorXd last_;     ///< torque [N m], or a servo's position, of the tick before [rad]
  Command offered_, command_;
  std::uint64_t answered_ = 0, tick_ = 0, damped_since_ = 0;
  bool has_offer_ = false, has_passed_ = false, has_left_ = false;
  Counts counts_;
};

}  // namespace aplomb
