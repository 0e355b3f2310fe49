#pragma once

#include <Eigen/Core>
#include <string_view>

namespace aplomb {

/// Decides tick by tick whether a rise goes on or back, and how a sit-down without a seat ends.
///
/// A rise is given up when something asks for it: the state or a foot's force was not measured, a foot lost its
/// contact, the capture point c + ċ/ω leaves the planned one, or falls behind the soles while no seat bears. Then the
/// plan is played back to the seat, if it can be: its turn needs a ZMP no further ahead than the capture point, which
/// must not be ahead of the soles, and the seat must be nearer in time than standing, unless the capture point is
/// behind the soles. Otherwise the rise is finished. A sit-down that finds no seat within reach is played back to
/// standing.
class GiveUp {
 public:
  /// What one tick shows.
  struct Tick {
    double time_s = 0.0;
    bool is_state_lost = false;       ///< the robot's state is not measured; nothing else below is known
    bool is_foot_unmeasured = false;  ///< the force on a foot
    bool is_foot_lost = false;        ///< a foot that is to bear has no contact
    bool is_seat_borne = false;       ///< the seat was touched, and was not left
    bool is_seat_out_of_reach = false;
    bool is_rising = false;       ///< the plan leads from a seat, on which it still is or which it has left
    double since_seat_s = 0.0;    ///< plan time since that seat was left; negative on it [s]
    double to_standing_s = 0.0;   ///< plan time until the end of the rise [s]
    double capture_margin = 0.0;  ///< of the capture point to the edge of the soles; negative outside [m]
    double capture_ahead = 0.0;   ///< of the capture point, ahead of the middle of the feet [m]
    double capture_error = 0.0;   ///< distance of the capture point from the planned one [m]
  };
  /// `most_error`: of the capture point [m].
  explicit GiveUp(double most_error) : most_error_(most_error) {}

  void update(const Tick& tick);  ///< never allocates

  bool has_given_up() const { return !reason_.empty(); }
  double time_s() const { return time_s_; }            ///< when [s]
  std::string_view reason() const { return reason_; }  ///< empty: not given up

 private:
  std::string_view asked_by(const Tick& tick);
  static bool can_go_back(const Tick& tick);

  double most_error_;
  int lost_ticks_ = 0, unmeasured_ticks_ = 0, error_ticks_ = 0, behind_ticks_ = 0, contact_ticks_ = 0;
  bool has_measured_feet_ = false;
  double time_s_ = 0.0;
  std::string_view reason_;  ///< refers to a string literal
};

}  // namespace aplomb
