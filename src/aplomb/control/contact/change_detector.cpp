#include "aplomb/control/contact/change_detector.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kFalseAlarms = 25.0;  // logarithm of the mean number of ticks between false alarms: two years of 1 ms
constexpr int kLearnTicks = 50;        // without detection at first: σ² is then known to a quarter
constexpr int kMostTicks = 200;        // memory of σ²: long against a change, short against a run; tuned

}  // namespace

void ChangeDetector::observe(double signal) {
  const double change = signal - last_;
  last_ = signal;
  if (ticks_++ == 0) return;
  ticks_ = std::min(ticks_, kMostTicks);
  variance_ += (0.5 * change * change - variance_) / (ticks_ - 1);
}

double ChangeDetector::deviation() const { return std::sqrt(variance_); }

bool ChangeDetector::has_changed(double excess, double margin, double least) {
  sum_ = std::max(sum_ + excess, 0.0);
  return ticks_ > kLearnTicks && sum_ > std::max(least, kFalseAlarms * variance_ / (2.0 * margin));
}

}  // namespace aplomb
