#pragma once

#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"

namespace aplomb {

/// What a task-priority controller says of its ticks.
class TaskPriorityReport {
 public:
  struct Tick {
    double time_s = 0.0;
    Eigen::Vector2d zmp_reference = Eigen::Vector2d::Zero();  ///< in the plan's frame [m]
    Eigen::Vector2d zmp_measured = Eigen::Vector2d::Zero();   ///< by the load cells, likewise [m]
    Eigen::Vector2d com_shift = Eigen::Vector2d::Zero();      ///< by the ZMP feedback [m]
    double left_share = 0.5;                                  ///< of the load
    double gate = 1.0;                                        ///< 0: the ZMP's error does not count at the moment
    double reference_lag = 0.0;                               ///< of the limited CoM reference [m]
    double com_lag = 0.0;                                     ///< of the commanded CoM behind it [m]
    bool is_jumping = false, is_out_of_reach = false;         ///< the CoM's reference
    bool has_yielded = false;                                 ///< a drive gave way at the torque of its table
    double drift = 0.0;                                       ///< largest |commanded − measured| joint angle [rad]
    int damped_levels = 0, active_bounds = 0, reference_side = 1;
  };

  TaskPriorityReport();
  void add(const Tick& tick);  ///< never allocates

  std::span<const Signal> signals() const { return signals_; }
  Metrics metrics() const;
  void add_faults(std::vector<Fault>& faults) const;  ///< references that could not be followed

 private:
  std::vector<Signal> signals_;
  double drift_max_ = 0.0;
  std::optional<double> jumped_since_s_, out_of_reach_since_s_, yielded_since_s_;
  std::int64_t damped_ticks_ = 0, bounded_ticks_ = 0;
};

}  // namespace aplomb
