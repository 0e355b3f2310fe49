#include "aplomb/retarget/whole_motion/motion_spline.hpp"

#include <algorithm>
#include <utility>

namespace aplomb {

SplineStencil spline_stencil(Eigen::Index frame, Eigen::Index num_frames, double step_s) {
  SplineStencil stencil;
  const std::array<double, 3> position = {0.0, 1.0, 0.0};
  const std::array<double, 3> rate = {-0.5 / step_s, 0.0, 0.5 / step_s};
  const double square = step_s * step_s;
  const std::array<double, 3> acceleration = {1.0 / square, -2.0 / square, 1.0 / square};
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Eigen::Index control = std::clamp<Eigen::Index>(frame + k - 1, 1, num_frames - 2);
    if (stencil.count == 0 || stencil.control[static_cast<std::size_t>(stencil.count - 1)] != control) {
      stencil.control[static_cast<std::size_t>(stencil.count++)] = control;
    }
    const auto slot = static_cast<std::size_t>(stencil.count - 1);
    stencil.position[slot] += position[i];
    stencil.rate[slot] += rate[i];
    stencil.acceleration[slot] += acceleration[i];
  }
  return stencil;
}

MotionSpline::MotionSpline(Eigen::MatrixXd controls, double step_s) : controls_(std::move(controls)), step_s_(step_s) {
  controls_.col(0) = controls_.col(1);
  controls_.col(controls_.cols() - 1) = controls_.col(controls_.cols() - 2);
}

void MotionSpline::at(double time_s, Eigen::VectorXd& position, Eigen::VectorXd& rate,
                      Eigen::VectorXd& acceleration) const {
  const Eigen::Index last = num_frames() - 1;
  const double place = std::clamp(time_s / step_s_, 0.0, static_cast<double>(last));
  const Eigen::Index k = std::min(static_cast<Eigen::Index>(place), last - 1);
  const double u = place - static_cast<double>(k), w = 1.0 - u;
  const std::array<double, 4> b = {w * w * w / 6.0, (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
                                   (-3.0 * u * u * u + 3.0 * u * u + 3.0 * u + 1.0) / 6.0, u * u * u / 6.0};
  const std::array<double, 4> d = {-0.5 * w * w, 1.5 * u * u - 2.0 * u, -1.5 * u * u + u + 0.5, 0.5 * u * u};
  const std::array<double, 4> dd = {w, 3.0 * u - 2.0, 1.0 - 3.0 * u, u};
  position.setZero(controls_.rows());
  rate = acceleration = position;
  for (int i = 0; i < 4; ++i) {
    const auto s = static_cast<std::size_t>(i);
    const auto control = controls_.col(std::clamp<Eigen::Index>(k - 1 + i, 1, last - 1));
    position += b[s] * control;
    rate += d[s] / step_s_ * control;
    acceleration += dd[s] / (step_s_ * step_s_) * control;
  }
}

}  // namespace aplomb
