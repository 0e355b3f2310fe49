#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

namespace aplomb {

/// First-order low-pass of a vector: y += (1 − e^(−2π f dt)) (x − y). The first sample passes through.
template <int kSize>
class LowPass {
 public:
  LowPass(double cutoff_hz, double period_s) : gain_(1.0 - std::exp(-2.0 * std::numbers::pi * cutoff_hz * period_s)) {}

  const Eigen::Matrix<double, kSize, 1>& update(const Eigen::Matrix<double, kSize, 1>& sample) {
    if (!has_value_) value_ = sample;
    has_value_ = true;
    value_ += gain_ * (sample - value_);
    return value_;
  }

  const Eigen::Matrix<double, kSize, 1>& value() const { return value_; }

 private:
  double gain_;
  bool has_value_ = false;
  Eigen::Matrix<double, kSize, 1> value_ = Eigen::Matrix<double, kSize, 1>::Zero();
};

}  // namespace aplomb
