#include "aplomb/retarget/whole_motion/motion_spline.hpp"

#include <algorithm>
#include <utility>

namespace aplomb {

KnotStencil knot_stencil(Eigen::Index frame, Eigen::Index num_frames, double step_s) {
  KnotStencil stencil;
  const double square = step_s * step_s;
  const std::array<double, 3> position = {0.0, 1.0, 0.0};
  const std::array<double, 3> rate = {-0.5 / step_s, 0.0, 0.5 / step_s};
  const std::array<double, 3> acceleration = {1.0 / square, -2.0 / square, 1.0 / square};
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Eigen::Index knot = std::clamp<Eigen::Index>(frame + k - 1, 1, num_frames - 2);
    if (stencil.count == 0 || stencil.knot[static_cast<std::size_t>(stencil.count - 1)] != knot) {
      stencil.knot[static_cast<std::size_t>(stencil.count++)] = knot;
    }
    const auto slot = static_cast<std::size_t>(stencil.count - 1);
    stencil.position[slot] += position[i];
    stencil.rate[slot] += rate[i];
    stencil.acceleration[slot] += acceleration[i];
  }
  return stencil;
}

/// The accelerations M of a clamped cubic spline satisfy (M_{j−1} + 4 M_j + M_{j+1}) / 6 = second difference / h², with
/// (2 M_0 + M_1) / 6 = (x_1 − x_0) / h² at an end with rate 0.
MotionSpline::MotionSpline(Eigen::MatrixXd knots, double step_s)
    : knots_(std::move(knots)), accelerations_(knots_.rows(), knots_.cols()), step_s_(step_s) {
  const Eigen::Index last = knots_.cols() - 1;
  const double square = step_s * step_s;
  Eigen::VectorXd diagonal = Eigen::VectorXd::Constant(last + 1, 4.0 / 6.0);
  diagonal[0] = diagonal[last] = 2.0 / 6.0;
  for (Eigen::Index j = 0; j <= last; ++j) {
    accelerations_.col(j).setZero();
    if (j > 0) accelerations_.col(j) += (knots_.col(j - 1) - knots_.col(j)) / square;
    if (j < last) accelerations_.col(j) += (knots_.col(j + 1) - knots_.col(j)) / square;
  }
  for (Eigen::Index j = 1; j <= last; ++j) {
    const double factor = 1.0 / (6.0 * diagonal[j - 1]);
    diagonal[j] -= factor / 6.0;
    accelerations_.col(j) -= factor * accelerations_.col(j - 1);
  }
  accelerations_.col(last) /= diagonal[last];
  for (Eigen::Index j = last; j-- > 0;)
    accelerations_.col(j) = (accelerations_.col(j) - accelerations_.col(j + 1) / 6.0) / diagonal[j];
}

void MotionSpline::at(double time_s, Eigen::VectorXd& position, Eigen::VectorXd& rate,
                      Eigen::VectorXd& acceleration) const {
  const Eigen::Index last = num_knots() - 1;
  const double place = std::clamp(time_s / step_s_, 0.0, static_cast<double>(last));
  const Eigen::Index k = std::min(static_cast<Eigen::Index>(place), last - 1);
  const double u = place - static_cast<double>(k), w = 1.0 - u, h = step_s_;
  const auto x0 = knots_.col(k), x1 = knots_.col(k + 1);
  const auto a0 = accelerations_.col(k), a1 = accelerations_.col(k + 1);
  position = w * x0 + u * x1 + h * h / 6.0 * ((w * w * w - w) * a0 + (u * u * u - u) * a1);
  rate = (x1 - x0) / h + h / 6.0 * ((1.0 - 3.0 * w * w) * a0 + (3.0 * u * u - 1.0) * a1);
  acceleration = w * a0 + u * a1;
}

}  // namespace aplomb
