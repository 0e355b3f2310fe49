#include "aplomb/sim/world.hpp"

#include <cmath>
#include <numbers>

namespace aplomb {

Eigen::Vector3d Push::force_at(double time_s) const {
  const double phase = (time_s - start_s) / duration_s;
  if (phase < 0.0 || phase >= 1.0) return Eigen::Vector3d::Zero();
  return shape == Shape::box ? peak_force : Eigen::Vector3d(peak_force * std::sin(std::numbers::pi * phase));
}

}  // namespace aplomb
