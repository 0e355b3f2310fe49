#pragma once

#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"

namespace aplomb {

/// Signals, metrics and faults of a task-priority controller, collected tick by tick.
class TaskPriorityReport {
 public:
  struct Tick {
    double time_s = 0.0;
    Eigen::Vector2d zmp_reference = Eigen::Vector2d::Zero();  ///< in the plan frame [m]
    Eigen::Vector2d zmp_measured = Eigen::Vector2d::Zero();   ///< by the load cells, in the plan frame [m]
    Eigen::Vector2d com_shift = Eigen::Vector2d::Zero();      ///< shift of the CoM by the ZMP feedback [m]
    double left_share = 0.5;                                  ///< fraction of the load on the left foot
    double gate = 1.0;                                        ///< weight of the measured ZMP error, 0 to 1
    double reference_lag = 0.0;                        ///< lag of the governed CoM reference behind its target [m]
    double com_lag = 0.0;                              ///< lag of the commanded CoM behind the reference [m]
    bool is_jumping = false, is_out_of_reach = false;  ///< the target of the CoM reference
    bool has_yielded = false;                          ///< a drive yielded below its nominal torque limit
    double drift = 0.0;                                ///< largest |commanded − measured| joint angle [rad]
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
