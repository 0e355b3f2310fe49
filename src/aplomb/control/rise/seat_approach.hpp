#pragma once

#include <optional>

#include "aplomb/control/rise/plan_follower.hpp"
#include "aplomb/control/rise/rise_contacts.hpp"

namespace aplomb {

/// Takes a seat whose height is not quite known. The seat is touched when it is found to bear (the load on the feet and
/// the motion of the body give its load), with the hips near it. Until then it has no share in the load.
///   touched before the plan wants a load from it: the hips stay at this height, and the plan comes down to them;
///   not touched when the plan wants a load: the hips go on down at a low speed, and the plan waits for them while the
///   capture point is above the soles. Where it is not, and no seat is within reach, the load is taken off the feet all
///   the same.
class SeatApproach {
 public:
  /// `leg_length`: thigh and shank [m]; `is_seated`: the robot is on its seat when the plan begins.
  SeatApproach(double weight_n, double leg_length, bool is_seated);

  /// After the contacts' update; acts on the next tick. `direction`: 1, or -1 when the plan is played back;
  /// `capture_margin`: of the capture point to the soles' edge [m]. Never allocates.
  void update(double direction, double capture_margin, PlanFollower& plan, RiseContacts& contacts);

  bool is_touched() const { return is_touched_; }
  bool is_out_of_reach() const { return is_out_of_reach_; }  ///< nothing was found as far down as is searched

 private:
  /// Way of the hips in the next tick, on top of the plan, upwards [m].
  double shift_of(bool holds, bool searches, double speed, double hip_height);

  double weight_n_, reach_, speed_, falling_speed_;
  bool is_touched_, is_out_of_reach_ = false;
  int felt_ticks_ = 0;
  double search_ = 0.0,
         hold_ = 0.0;      ///< how far the search, and the rest on a seat that came early, are eased in, 0 to 1
  double searched_ = 0.0;  ///< way of the hips below the planned touch [m]
  double shift_ = 0.0;     ///< of the last tick [m]
  std::optional<double> hip_height_;  ///< as wanted in the last tick [m]
};

}  // namespace aplomb
