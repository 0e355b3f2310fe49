#include "aplomb/control/failsafe/pair_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr int kWindow = 10;  // [ticks]
constexpr int kFrozenTicks = 10;
constexpr int kWarmUpTicks = 100;      // before, the noise is not known
constexpr double kJumpFloor = 3e-3;    // [m], [rad]
constexpr double kFrozenFloor = 1e-5;  // [m], [rad]
constexpr double kMeanGain = 0.01;     // of the low-pass of |r|, per tick
constexpr double kNoiseFactor = 10.0;  // a bound over the mean residual

}  // namespace

PairWatch::PairWatch(Eigen::Index num_channels, double period_s, double drift_floor)
    : period_s_(period_s),
      drift_floor_(drift_floor),
      last_velocity_(Eigen::VectorXd::Zero(num_channels)),
      expected_(last_velocity_),
      residual_(last_velocity_),
      left_position_(last_velocity_),
      left_velocity_(last_velocity_),
      position_repeats_(Eigen::VectorXi::Zero(num_channels)),
      velocity_repeats_(position_repeats_),
      window_(Eigen::MatrixXd::Zero(num_channels, kWindow)),
      window_sum_(last_velocity_),
      least_step_(Eigen::VectorXd::Constant(num_channels, std::numeric_limits<double>::infinity())) {}

void PairWatch::restart() {
  left_position_.setZero();
  left_velocity_.setZero();
  position_repeats_.setZero();
  velocity_repeats_.setZero();
  window_.setZero();
  window_sum_.setZero();
}

void PairWatch::interrupt() {
  restart();
  ticks_ = 0;
  findings_ = {};
}

const PairWatch::Findings& PairWatch::update(const Eigen::Ref<const Eigen::VectorXd>& step,
                                             const Eigen::Ref<const Eigen::VectorXd>& velocity) {
  findings_ = {};
  if (step.size() == 0) return findings_;
  ++age_;
  if (ticks_++ == 0) {
    last_velocity_ = velocity;
    return findings_;
  }
  expected_ = 0.5 * period_s_ * (velocity + last_velocity_);
  residual_ = step - expected_;
  const double change = period_s_ * (velocity - last_velocity_).cwiseAbs().maxCoeff();
  const double travel = 2.0 * expected_.cwiseAbs().maxCoeff();
  const double largest = residual_.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < step.size(); ++i) {
    const bool position_repeats = step[i] == 0.0, velocity_repeats = velocity[i] == last_velocity_[i];
    position_repeats_[i] = position_repeats ? position_repeats_[i] + 1 : 0;
    velocity_repeats_[i] = velocity_repeats ? velocity_repeats_[i] + 1 : 0;
    left_position_[i] = position_repeats ? left_position_[i] + expected_[i] : 0.0;
    left_velocity_[i] = velocity_repeats ? left_velocity_[i] + residual_[i] : 0.0;
    if (!position_repeats) least_step_[i] = std::min(least_step_[i], std::abs(step[i]));
  }
  last_velocity_ = velocity;

  const double noise = kNoiseFactor * mean_residual_;
  findings_.position_jumped = age_ > kWarmUpTicks && largest > kJumpFloor + change + travel + noise;
  auto oldest = window_.col(ticks_ % kWindow);
  window_sum_ += residual_ - oldest;
  oldest = residual_;
  if (findings_.position_jumped) {
    window_.setZero();
    window_sum_.setZero();
    left_velocity_.setZero();
  }
  // A position that repeats itself is no witness against its velocity.
  const bool is_witness =
      (position_repeats_.array() >= 3).select(0.0, window_sum_.cwiseAbs()).maxCoeff() > drift_floor_ + kWindow * noise;
  findings_.velocity_jumped = age_ > kWarmUpTicks && is_witness;
  watch_repeats();
  if (findings_.has_any()) return findings_;
  // A channel that repeats itself says nothing of the noise.
  const double fresh =
      (position_repeats_.array() > 0 || velocity_repeats_.array() > 0).select(0.0, residual_.cwiseAbs()).maxCoeff();
  average(fresh, mean_residual_);
  average(change, mean_change_);
  return findings_;
}

void PairWatch::average(double sample, double& mean) const {
  // Once the noise is known, a fault that grows must not raise the bound that would show it.
  const double bounded = age_ > kWarmUpTicks ? std::min(sample, 3.0 * mean + kFrozenFloor) : sample;
  mean += kMeanGain * (bounded - mean);
}

void PairWatch::watch_repeats() {
  if (age_ <= kWarmUpTicks) return;
  for (Eigen::Index i = 0; i < left_position_.size(); ++i) {
    // A channel that has never moved has no known resolution; it is watched all the same.
    const double resolution = std::isfinite(least_step_[i]) ? least_step_[i] : 0.0;
    const auto bound = [&](int ticks) {
      return kFrozenFloor + 3.0 * resolution +
             0.8 * kNoiseFactor * std::sqrt(static_cast<double>(ticks)) * (mean_residual_ + mean_change_);
    };
    const int position_ticks = position_repeats_[i], velocity_ticks = velocity_repeats_[i];
    if (position_ticks >= kFrozenTicks && std::abs(left_position_[i]) > bound(position_ticks)) {
      findings_.position_frozen = true;
    }
    if (velocity_ticks >= kFrozenTicks && std::abs(left_velocity_[i]) > bound(velocity_ticks)) {
      findings_.velocity_frozen = true;
    }
  }
}

}  // namespace aplomb
