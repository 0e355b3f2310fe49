#pragma once

#include <optional>

namespace aplomb {

/// Availability of a contact, from its measured normal force. A measured force means contact. Without a measured force
/// there is no contact if a force was commanded; otherwise nothing is known, and the state is kept. The availability
/// ramps over `ramp_s`, so that nothing jumps when a contact is added or removed.
class ContactWatch {
 public:
  ContactWatch(double ramp_s, double weight_n);

  /// `measured_n`: absent when the sensor does not answer; `commanded_n`: normal force commanded in the previous tick.
  /// Returns 0 … 1.
  double update(std::optional<double> measured_n, double commanded_n);
  /// Takes the contact away, whatever its sensor measures; `update` finds it again. Returns 0 … 1.
  double unload();
  double availability() const { return availability_; }
  bool is_touching() const { return is_touching_; }

 private:
  double step_;     ///< largest change per tick
  double touch_n_;  ///< measured force above which there is contact
  double asked_n_;  ///< commanded force above which contact would be measured
  bool has_begun_ = false;
  bool is_touching_ = true;
  double availability_ = 1.0;
};

}  // namespace aplomb
