#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Loads of a rise on the robot's hardware, from the plan's start on: joint speeds and torques against their limits,
/// peak and jumps of the foot forces (docs/metrics.md, "Sit to stand").
class RiseLoads {
 public:
  /// `robot` must outlive this object.
  RiseLoads(const RobotModel& robot, const PlanPlayer& plan);

  /// `torque`: as applied by the drives [N m].
  void add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  void finish(Metrics& metrics) const;

 private:
  void add_forces(const Observation& now);
  void add_joints(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  /// Largest change of a foot's low-passed normal force in one tick, away from touches [N].
  double force_jump(const Eigen::MatrixXd& filtered) const;

  const RobotModel* robot_;
  double start_s_;
  std::vector<double> touches_;  ///< planned touches, in the run's time [s]
  /// Of left foot, right foot, seat: first loads after a time without [s], and ticks since the last load.
  std::array<std::vector<double>, 3> felt_touches_;
  std::array<int, 3> ticks_in_air_{};
  std::vector<double> times_, forces_;                     ///< of each tick; forces: left, right [N]
  std::optional<double> speed_ratio_, torque_jump_ratio_;  ///< largest ones, over the joint's limit
  std::int64_t saturated_ticks_ = 0;
  std::optional<Eigen::VectorXd> last_torque_;  ///< commanded at the tick before [N m]
};

}  // namespace aplomb
