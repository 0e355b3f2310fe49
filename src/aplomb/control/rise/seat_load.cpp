#include "aplomb/control/rise/seat_load.hpp"

#include <numbers>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 2.0 * std::numbers::pi * 10.0;  // [1/s] K: a cutoff of 10 Hz; tuned

}  // namespace

void SeatLoad::update(const RobotTerms& terms, double other_n) {
  const double momentum = terms.momentum()[2];
  if (!has_begun_) start_ = momentum;
  if (has_begun_) sum_ += kControlPeriod * (other_n - terms.mass() * kGravity + estimate_);
  has_begun_ = true;
  estimate_ = started_with_ + kRate * (momentum - start_ - sum_);
}

}  // namespace aplomb
