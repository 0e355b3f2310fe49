#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <optional>

#include "aplomb/core/result.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Collects, tick by tick, the metrics that every simulated run has (docs/metrics.md has the formulas).
class RunMetrics {
 public:
  explicit RunMetrics(const RobotModel& robot);

  void add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque, CommandStatus status);
  void add_nonfinite_value() { ++nonfinite_values_; }
  Metrics finish(int warnings) const;  ///< `warnings`: number of warnings of the physics engine

 private:
  void add_slip(const Observation& now);
  void add_jumps(const Observation& now);
  void add_cop_error(const Observation& now);

  const RobotModel* robot_;
  std::vector<double> com_errors_;
  std::optional<double> fell_at_s_;
  double time_s_ = 0.0;
  double trunk_tilt_max_ = 0.0;
  std::optional<double> cop_margin_min_, zmp_margin_min_, slip_max_;
  bool zmp_exists_ = true;
  double torque_peak_ratio_ = 0.0;
  double joint_limit_margin_min_ = std::numeric_limits<double>::infinity();
  double torque_jump_max_ = 0.0, contact_force_jump_max_ = 0.0;
  std::optional<Eigen::VectorXd> last_torque_;
  std::array<double, 2> last_normal_force_{};
  std::array<std::optional<Eigen::Vector3d>, 2> planted_at_;
  std::array<LowPass<2>, 2> commanded_cop_filter_;
  double cop_error_squares_ = 0.0;
  std::int64_t num_cop_errors_ = 0;
  std::int64_t solver_failures_ = 0, held_ticks_ = 0, deadline_misses_ = 0, nonfinite_values_ = 0;
};

}  // namespace aplomb
