#include "aplomb/core/math/zero_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"

namespace aplomb {

ZeroPhaseFilter::ZeroPhaseFilter(double cutoff_hz, double rate_hz) : samples_per_period_(rate_hz / cutoff_hz) {
  if (!(cutoff_hz > 0.0) || !(cutoff_hz < 0.5 * rate_hz)) {
    throw InvalidValue(
        fmt::format("a cut-off of {} Hz is invalid at {} samples per second; valid: above 0, below {} Hz", cutoff_hz,
                    rate_hz, 0.5 * rate_hz));
  }
  const double correction = std::pow(std::numbers::sqrt2 - 1.0, 0.25);
  const double warped = std::tan(std::numbers::pi * cutoff_hz / rate_hz) / correction;
  const double square = warped * warped;
  const double norm = 1.0 / (1.0 + std::numbers::sqrt2 * warped + square);
  b0_ = square * norm;
  a1_ = 2.0 * (square - 1.0) * norm;
  a2_ = (1.0 - std::numbers::sqrt2 * warped + square) * norm;
}

Eigen::Index ZeroPhaseFilter::padding(Eigen::Index num_samples) const {
  const auto wanted = static_cast<Eigen::Index>(std::ceil(1.5 * samples_per_period_));
  return std::clamp<Eigen::Index>(num_samples - 1, 0, wanted);
}

void ZeroPhaseFilter::pass(Eigen::MatrixXd& signals) const {
  // Transposed direct form II, started in the steady state for the first sample.
  Eigen::VectorXd second = (b0_ - a2_) * signals.col(0);
  Eigen::VectorXd first = (2.0 * b0_ - a1_) * signals.col(0) + second;
  Eigen::VectorXd output(signals.rows());
  for (Eigen::Index i = 0; i < signals.cols(); ++i) {
    output = b0_ * signals.col(i) + first;
    first = 2.0 * b0_ * signals.col(i) - a1_ * output + second;
    second = b0_ * signals.col(i) - a2_ * output;
    signals.col(i) = output;
  }
}

Eigen::MatrixXd ZeroPhaseFilter::filtered(const Eigen::Ref<const Eigen::MatrixXd>& signals) const {
  const Eigen::Index count = signals.cols();
  if (count < 2) return signals;
  const Eigen::Index pad = padding(count);
  Eigen::MatrixXd extended(signals.rows(), count + 2 * pad);
  extended.middleCols(pad, count) = signals;
  for (Eigen::Index i = 1; i <= pad; ++i) {
    extended.col(pad - i) = 2.0 * signals.col(0) - signals.col(i);
    extended.col(pad + count - 1 + i) = 2.0 * signals.col(count - 1) - signals.col(count - 1 - i);
  }
  pass(extended);
  extended = extended.rowwise().reverse().eval();
  pass(extended);
  extended = extended.rowwise().reverse().eval();
  return extended.middleCols(pad, count);
}

Eigen::MatrixXd central_difference(const Eigen::Ref<const Eigen::MatrixXd>& x, double rate_hz) {
  const Eigen::Index count = x.cols();
  Eigen::MatrixXd rate = Eigen::MatrixXd::Zero(x.rows(), count);
  if (count < 3) return rate;
  for (Eigen::Index i = 1; i + 1 < count; ++i) {
    if (i >= 2 && i + 2 < count) {
      rate.col(i) = (rate_hz / 12.0) * (x.col(i - 2) - 8.0 * x.col(i - 1) + 8.0 * x.col(i + 1) - x.col(i + 2));
    } else {
      rate.col(i) = 0.5 * rate_hz * (x.col(i + 1) - x.col(i - 1));
    }
  }
  const Eigen::Index last = count - 1;
  rate.col(0) = 0.5 * rate_hz * (-3.0 * x.col(0) + 4.0 * x.col(1) - x.col(2));
  rate.col(last) = 0.5 * rate_hz * (3.0 * x.col(last) - 4.0 * x.col(last - 1) + x.col(last - 2));
  return rate;
}

}  // namespace aplomb
