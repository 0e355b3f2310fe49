#include "aplomb/control/rise/seat_approach.hpp"

#include <algorithm>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

constexpr double kFelt = 0.05;     // [m g] estimated load from which on the seat bears; above 3 % of unknown mass
constexpr double kOffSeat = 0.02;  // [m g] estimated load below which it was left
constexpr double kWanted = 0.02;   // [m g] planned load at which the touch is waited for
constexpr double kEase = 0.05;  // [s] in which the search begins and ends, and the hips come to rest on a seat; tuned
constexpr int kFeltTicks = 10;  // [ms] of bearing without a break; less than the lag of the estimate
// Over the leg length, 0.76 m of a person's: farthest way from the planned seat (6 cm), speed of the search (5 cm/s).
constexpr double kReach = 0.08, kSpeed = 0.065;  // [-], [1/s]
// Speed where the capture point is behind the soles, 0.3 m/s of a person's: there is no way back, and a fall onto the
// seat gets the faster the longer it takes; tuned.
constexpr double kFallingSpeed = 0.4;  // [1/s]

}  // namespace

SeatApproach::SeatApproach(double weight_n, double leg_length, bool is_seated)
    : weight_n_(weight_n),
      reach_(kReach * leg_length),
      speed_(kSpeed * leg_length),
      falling_speed_(kFallingSpeed * leg_length),
      is_touched_(is_seated) {}

void SeatApproach::update(double direction, double capture_margin, PlanFollower& plan, RiseContacts& contacts) {
  const double wanted = contacts.wanted_seat_force() / weight_n_, load = contacts.seat_load() / weight_n_;
  const bool is_wanted = wanted > kWanted, is_ahead = plan.is_seat_ahead(direction);
  const bool is_near = contacts.hip_height() < plan.seat_height() + std::max(plan.chair_shift(), 0.0) + reach_;
  if (is_touched_ && wanted <= 0.0 && load < kOffSeat) is_touched_ = false;
  const bool bears = load > kFelt && is_near && (is_wanted || is_ahead);
  felt_ticks_ = bears && !is_touched_ ? felt_ticks_ + 1 : 0;
  if (felt_ticks_ >= kFeltTicks) is_touched_ = true;
  is_out_of_reach_ = is_wanted && !is_touched_ && searched_ >= reach_;
  const bool waits = is_wanted && !is_touched_ && capture_margin > 0.0;
  plan.shift_hips(shift_of(is_touched_ && is_ahead && wanted <= 0.0, is_wanted && !is_touched_ && !is_out_of_reach_,
                           capture_margin > 0.0 ? speed_ : falling_speed_, plan.hip_height()));
  if (!is_wanted) searched_ = 0.0;
  plan.set_pace(waits ? 0.0 : direction);
  contacts.set_seat_touched(is_touched_ || (is_out_of_reach_ && !waits));
}

double SeatApproach::shift_of(bool holds, bool searches, double speed, double hip_height) {
  const double most = kControlPeriod / kEase;
  search_ += std::clamp((searches ? 1.0 : 0.0) - search_, -most, most);
  hold_ = holds ? std::min(hold_ + most, 1.0) : 0.0;
  const double down = search_ * speed * kControlPeriod;
  searched_ += down;
  // What the hips have come down by themselves since the last tick.
  const double sunk = hip_height_ ? *hip_height_ + shift_ - hip_height : 0.0;
  hip_height_ = hip_height;
  shift_ = hold_ * std::max(0.0, sunk) - down;
  return shift_;
}

}  // namespace aplomb
