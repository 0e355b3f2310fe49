#include "aplomb/control/step/swing_foot.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kOver = 0.9;       // fraction of the swing after which the foot is above its target; tuned
constexpr double kFrozen_s = 0.02;  // the path is not computed anew in the last moments: the polynomial stiffens

}  // namespace

AxisMotion towards(const AxisMotion& now, const AxisMotion& end, double duration_s, double dt) {
  const double T = duration_s, T2 = T * T;
  const double p = end.position - now.position - now.velocity * T - 0.5 * now.acceleration * T2;
  const double v = end.velocity - now.velocity - now.acceleration * T;
  const double a = end.acceleration - now.acceleration;
  const double c3 = (10.0 * p - 4.0 * v * T + 0.5 * a * T2) / (T2 * T);
  const double c4 = (-15.0 * p + 7.0 * v * T - a * T2) / (T2 * T2);
  const double c5 = (6.0 * p - 3.0 * v * T + 0.5 * a * T2) / (T2 * T2 * T);
  const double t = std::min(dt, T);
  return {.position = now.position + t * (now.velocity + t * (0.5 * now.acceleration + t * (c3 + t * (c4 + t * c5)))),
          .velocity = now.velocity + t * (now.acceleration + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5))),
          .acceleration = now.acceleration + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))};
}

void SwingFoot::begin(const Eigen::Vector3d& place, const Eigen::Vector3d& velocity) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<Eigen::Index>(axis);
    axes_[axis] = {.position = place[i], .velocity = velocity[i]};
  }
  elapsed_s_ = 0.0;
}

void SwingFoot::update(const Eigen::Vector3d& target, double left_s, double dt) {
  elapsed_s_ += dt;
  const double whole = elapsed_s_ + std::max(left_s, 0.0);
  const double over = left_s - (1.0 - kOver) * whole;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const AxisMotion end{.position = target[static_cast<Eigen::Index>(axis)]};
    if (over > kFrozen_s)
      axes_[axis] = towards(axes_[axis], end, over, dt);
    else
      axes_[axis] = towards(axes_[axis], end, std::max(over, kFrozen_s), dt);
  }
  const double until_middle = left_s - 0.5 * whole;
  AxisMotion& up = axes_[2];
  if (until_middle > kFrozen_s) {
    up = towards(up, {.position = target.z() + settings_.clearance}, until_middle, dt);
  } else if (left_s > kFrozen_s) {
    up = towards(up, {.position = target.z(), .velocity = -settings_.touch_velocity}, left_s, dt);
  } else {
    up.acceleration = 0.0;
    up.velocity = -settings_.touch_velocity;
    up.position += dt * up.velocity;
  }
}

}  // namespace aplomb
