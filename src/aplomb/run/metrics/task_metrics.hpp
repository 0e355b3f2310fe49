#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Collects, tick by tick, the metrics of the task-priority experiments from the simulator's truth (docs/metrics.md
/// has the formulas).
class TaskMetrics {
 public:
  /// `start`: initial state of the simulation, at which the references begin. `robot` must outlive this object.
  TaskMetrics(const RobotModel& robot, const RobotState& start, const ComRequest& request,
              const std::vector<Push>& pushes);

  void add(const Observation& now, const RobotState& state);
  void finish(Metrics& metrics) const;

 private:
  /// Mean over a time window.
  struct Mean {
    double begin_s = 0.0, end_s = 0.0;
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    int count = 0;
    void add(double time_s, const Eigen::Vector2d& value);
    Eigen::Vector2d value() const { return sum / std::max(count, 1); }
  };
  void add_zmp(const Observation& now);
  void add_feet(const Observation& now);
  void add_period(const Observation& now, const RobotState& state);

  const RobotModel* robot_;
  ComReference com_reference_;
  StepPlan steps_;
  double height_;
  std::array<Eigen::Isometry3d, 2> feet_;  ///< initial poses, valid if has_feet_
  bool has_feet_ = false, zmp_exists_ = true;
  std::optional<double> held_until_s_;  ///< end of the constant part of the last push, if that push is long enough
  std::optional<double> pushed_until_s_;
  Mean rest_, held_;
  double square_sum_ = 0.0, error_max_ = 0.0;
  std::vector<Eigen::Vector2d> end_errors_;  ///< ZMP errors of the last 0.5 s, as a ring buffer
  std::vector<Eigen::Vector2d> after_push_;  ///< ZMP of each tick after the last push
  std::int64_t num_ticks_ = 0;
  double position_error_max_ = 0.0, rotation_error_max_ = 0.0, height_error_max_ = 0.0;
  std::size_t period_ticks_ = 0;  ///< 0: no sine
  double periodic_from_s_ = 0.0;
  std::vector<Eigen::VectorXd> last_period_;
  std::vector<double> changes_;  ///< joint change from one period to the next, per tick of the period, as a ring buffer
  std::size_t num_changes_ = 0, period_tick_ = 0;
};

}  // namespace aplomb
