#pragma once

#include <Eigen/Core>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {

class StandingKinematics;

/// Rows A q̇ = b of a task: views into the controller's matrices, one column per joint.
struct TaskRows {
  Eigen::Ref<Eigen::MatrixXd> A;
  Eigen::Ref<Eigen::VectorXd> b;
};

/// A task as rows for the joint velocities: A is the task's Jacobian, b its desired velocity.
class Task {
 public:
  virtual ~Task() = default;
  virtual int num_rows() const = 0;
  virtual void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const = 0;
};

/// Gains of a task's error feedback.
struct TaskGains {
  double rate_per_s = 10.0;  ///< velocity over error
  double speed = 0.5;        ///< limit of that velocity [m/s] or [rad/s]
};

/// Velocity that closes an error: rate × error, its norm limited to `speed`.
template <typename Error>
auto closing_velocity(const TaskGains& gains, const Error& error) {
  const double length = error.norm();
  const double factor = gains.rate_per_s * length > gains.speed ? gains.speed / length : gains.rate_per_s;
  return (factor * error).eval();
}

inline constexpr double kTaskOnset = 1.0;  ///< [s] over which a task fades in. Tuned

/// Weight, 0 to 1, that fades in a task whose target is not where the robot starts.
inline double task_onset(double time_s) { return minimum_jerk(time_s, kTaskOnset).position; }

}  // namespace aplomb
