#pragma once

#include <string>
#include <vector>

namespace aplomb {

/// Locks the process's memory and asks for SCHED_FIFO; a sentence for each that the system does not permit.
std::vector<std::string> prepare_realtime();

/// Absolute ticks of CLOCK_MONOTONIC.
class TickClock {
 public:
  explicit TickClock(double period_s);
  static double now_s();

  /// Sleeps until the next tick and returns how late it woke [s]. After a tick that is more than a period late the
  /// count begins anew: missed ticks are not made up for.
  double wait();
  /// The next tick comes one period after `time_s`, less `lead_s`.
  void follow(double time_s, double lead_s) { next_s_ = time_s + period_s_ - lead_s; }
  double next_s() const { return next_s_; }

 private:
  double period_s_, next_s_;
};

}  // namespace aplomb
