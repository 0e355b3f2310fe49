#pragma once

#include <optional>

namespace aplomb {

/// Decides from a contact's measured normal force how much a controller may count on it. A foot that was asked for
/// force and did not give any has left the ground; one that gives force is on it; one that was not asked says nothing.
/// The answer moves by at most one tick over `ramp_s`, so that nothing jumps when a contact comes or goes.
class ContactWatch {
 public:
  ContactWatch(double ramp_s, double weight_n);

  /// `measured_n`: absent when the sensor does not answer; `commanded_n`: of the tick before. Returns 0 … 1.
  double update(std::optional<double> measured_n, double commanded_n);
  double availability() const { return availability_; }
  bool is_touching() const { return is_touching_; }

 private:
  double step_;     ///< largest change a tick
  double touch_n_;  ///< a contact with more than this is one
  double asked_n_;  ///< a contact that was asked for more than this should have answered
  bool has_begun_ = false;
  bool is_touching_ = true;
  double availability_ = 1.0;
};

}  // namespace aplomb
