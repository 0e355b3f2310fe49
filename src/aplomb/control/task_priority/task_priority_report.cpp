#include "aplomb/control/task_priority/task_priority_report.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr const char* kSignals[] = {"zmp_reference_x_m", "zmp_reference_y_m", "zmp_measured_x_m", "zmp_measured_y_m",
                                    "com_shift_x_m",     "com_shift_y_m",     "left_share",       "zmp_gate",
                                    "reference_lag_m",   "com_lag_m",         "joint_drift_rad",  "damped_levels",
                                    "active_bounds",     "reference_is_left"};

}  // namespace

TaskPriorityReport::TaskPriorityReport() {
  for (const char* name : kSignals) signals_.push_back({name});
}

void TaskPriorityReport::add(const Tick& tick) {
  const double values[] = {tick.zmp_reference.x(),
                           tick.zmp_reference.y(),
                           tick.zmp_measured.x(),
                           tick.zmp_measured.y(),
                           tick.com_shift.x(),
                           tick.com_shift.y(),
                           tick.left_share,
                           tick.gate,
                           tick.reference_lag,
                           tick.com_lag,
                           tick.drift,
                           static_cast<double>(tick.damped_levels),
                           static_cast<double>(tick.active_bounds),
                           tick.reference_side == 0 ? 1.0 : 0.0};
  static_assert(std::size(kSignals) == std::size(values));
  for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].value = values[i];
  drift_max_ = std::max(drift_max_, tick.drift);
  if (tick.is_jumping && !jumped_since_s_) jumped_since_s_ = tick.time_s;
  if (tick.has_yielded && !yielded_since_s_) yielded_since_s_ = tick.time_s;
  if (tick.is_out_of_reach && !out_of_reach_since_s_) out_of_reach_since_s_ = tick.time_s;
  if (tick.damped_levels > 0) ++damped_ticks_;
  if (tick.active_bounds > 0) ++bounded_ticks_;
}

Metrics TaskPriorityReport::metrics() const {
  Metrics metrics;
  metrics.set("damped_ticks", damped_ticks_);
  metrics.set("bounded_ticks", bounded_ticks_);
  metrics.set("joint_drift_max_rad", drift_max_);
  return metrics;
}

void TaskPriorityReport::add_faults(std::vector<Fault>& faults) const {
  if (jumped_since_s_) {
    faults.push_back({.name = "com_reference_too_fast",
                      .start_s = *jumped_since_s_,
                      .fallback = "followed within the limits of speed and acceleration"});
  }
  if (out_of_reach_since_s_) {
    faults.push_back({.name = "com_reference_out_of_reach",
                      .start_s = *out_of_reach_since_s_,
                      .fallback = "followed as far as legs and support region allow"});
  }
  if (yielded_since_s_) {
    faults.push_back(
        {.name = "drives_give_way",
         .start_s = *yielded_since_s_,
         .fallback = "from then on the CoM stays where the static torques leave a reserve below the drives' limits"});
  }
}

}  // namespace aplomb
