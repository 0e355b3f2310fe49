#include "aplomb/control/contact/contact_watch.hpp"

#include <algorithm>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

constexpr double kTouchShare = 0.01;  // [m g] a larger measured force means contact; above sensor noise, tuned
constexpr double kAskedShare = 0.03;  // [m g] under a larger command, contact would have been measured

}  // namespace

ContactWatch::ContactWatch(double ramp_s, double weight_n)
    : step_(kControlPeriod / std::max(ramp_s, kControlPeriod)),
      touch_n_(kTouchShare * weight_n),
      asked_n_(kAskedShare * weight_n) {}

double ContactWatch::update(std::optional<double> measured_n, double commanded_n) {
  if (measured_n) {
    if (*measured_n > touch_n_)
      is_touching_ = true;
    else if (!has_begun_ || commanded_n > asked_n_)
      is_touching_ = false;
    if (!has_begun_) availability_ = is_touching_ ? 1.0 : 0.0;
    has_begun_ = true;
  }
  const double wanted = is_touching_ ? 1.0 : 0.0;
  availability_ += std::clamp(wanted - availability_, -step_, step_);
  return availability_;
}

double ContactWatch::unload() {
  is_touching_ = false;
  has_begun_ = true;
  availability_ = std::max(availability_ - step_, 0.0);
  return availability_;
}

}  // namespace aplomb
