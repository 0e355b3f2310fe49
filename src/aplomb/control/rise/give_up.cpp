#include "aplomb/control/rise/give_up.hpp"

namespace aplomb {
namespace {

constexpr int kAskedTicks = 20;  // [ms] for which a condition holds before it asks: longer than contacts chatter; tuned

/// Counts the ticks without a break in which a condition holds; whether they are enough.
bool lasts(bool holds, int& ticks) {
  ticks = holds ? ticks + 1 : 0;
  return ticks >= kAskedTicks;
}

}  // namespace

std::string_view GiveUp::asked_by(const Tick& tick) {
  // Nothing is decided on a state that is not measured, only after it.
  if (tick.is_state_lost) {
    ++lost_ticks_;
    return {};
  }
  const bool was_lost = lost_ticks_ >= kAskedTicks;
  lost_ticks_ = 0;
  const bool is_behind = tick.capture_margin < 0.0 && tick.capture_ahead < 0.0 && !tick.is_seat_borne;
  // A sensor that has never answered is not fitted.
  has_measured_feet_ = has_measured_feet_ || !tick.is_foot_unmeasured;
  const bool unmeasured = lasts(tick.is_foot_unmeasured && has_measured_feet_, unmeasured_ticks_);
  const bool contact = lasts(tick.is_foot_lost, contact_ticks_);
  const bool behind = lasts(is_behind, behind_ticks_);
  const bool error = lasts(tick.capture_error > most_error_, error_ticks_);
  if (was_lost) return "state was not measured";
  if (unmeasured) return "force on a foot was not measured";
  if (contact) return "a foot lost its contact";
  if (behind) return "capture point behind the soles";
  if (error) return "capture point away from the planned one";
  return {};
}

bool GiveUp::can_go_back(const Tick& tick) {
  const bool is_outside = tick.capture_margin < 0.0;
  if (is_outside && tick.capture_ahead < 0.0) return true;
  if (is_outside && !tick.is_seat_borne) return false;
  return tick.since_seat_s < tick.to_standing_s;
}

void GiveUp::update(const Tick& tick) {
  const std::string_view asked = asked_by(tick);
  if (has_given_up()) return;
  if (tick.is_rising && !asked.empty() && can_go_back(tick)) reason_ = asked;
  if (!tick.is_rising && tick.is_seat_out_of_reach) reason_ = "no seat within reach";
  if (has_given_up()) time_s_ = tick.time_s;
}

}  // namespace aplomb
