#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "aplomb/core/math/filter.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Loads of a rise on the robot's hardware, from the plan's start on: joint speeds and torques against their limits,
/// peak and jumps of the foot forces (docs/metrics.md, "Sit to stand").
class RiseLoads {
 public:
  static constexpr double kTorqueCutoff = 50.0;  ///< [Hz] of the low-pass of commanded torques

  /// `robot` must outlive this object.
  RiseLoads(const RobotModel& robot, const PlanPlayer& plan);

  /// `torque`: as applied by the drives [N m].
  void add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  void finish(Metrics& metrics) const;

 private:
  void add_forces(const Observation& now);
  void add_joints(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  void add_torques(const Eigen::VectorXd& commanded, bool is_counted);
  /// Largest change of a foot's normal force in one tick, away from touches [N].
  double force_jump(const Eigen::MatrixXd& forces) const;

  const RobotModel* robot_;
  double start_s_;
  std::vector<double> touches_;  ///< planned touches, in the run's time [s]
  /// Of left foot, right foot, seat: first loads after a time without [s], and ticks since the last load.
  std::array<std::vector<double>, 3> felt_touches_;
  std::array<int, 3> ticks_in_air_{};
  std::vector<double> times_, forces_;                     ///< of each tick; forces: left, right [N]
  std::optional<double> speed_ratio_, torque_jump_ratio_;  ///< largest ones, over the joint's limit
  std::int64_t saturated_ticks_ = 0;
  /// Of each joint's commanded torque over its limit: at the tick before, low-passed, and squares of its changes.
  struct Drive {
    double last = 0.0;
    LowPass<1> filter{kTorqueCutoff, Simulation::kControlPeriod};
    double squares = 0.0;
  };
  std::vector<Drive> drives_;  ///< empty before the first tick
  std::int64_t torque_changes_ = 0;
  std::optional<double> slow_torque_jump_ratio_;  ///< largest change of the low-passed torque, over the joint's limit
};

}  // namespace aplomb
