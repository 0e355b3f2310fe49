#include "aplomb/motion/profile/limited_motion.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kRate = 20.0;  // [1/s] rate of convergence over small distances
constexpr double kBrakeShare =
    0.5;  // fraction of the acceleration limit used for the braking distance: a margin for discretisation

Eigen::Vector3d shortened(const Eigen::Vector3d& vector, double longest) {
  const double length = vector.norm();
  return length > longest ? Eigen::Vector3d(longest / length * vector) : vector;
}

}  // namespace

void LimitedMotion::follow(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, double period_s,
                           double ease) {
  const Eigen::Vector3d way = position - position_;
  lag_ = way.norm();
  // Below the speed √(2 a d), deceleration a stops within the distance d.
  const double closing = std::min(kRate * lag_, std::sqrt(2.0 * kBrakeShare * limits_.acceleration * lag_));
  Eigen::Vector3d wanted = velocity;
  if (lag_ > 0.0) wanted += closing / lag_ * way;
  wanted = shortened(wanted, ease * limits_.speed);
  velocity_ += shortened(wanted - velocity_, limits_.acceleration * period_s);
  position_ += period_s * velocity_;
}

void LimitedMotion::keep_near(const Eigen::Vector3d& point, double distance) {
  const Eigen::Vector3d way = position_ - point;
  const double length = way.norm();
  if (!(length > distance)) return;
  position_ = point + distance / length * way;
  // Remove the outward velocity, which would otherwise accumulate.
  const double outward = velocity_.dot(way) / length;
  if (outward > 0.0) velocity_ -= outward / length * way;
}

}  // namespace aplomb
