#include "aplomb/control/failsafe/pair_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr int kFrozenTicks = 10;
constexpr int kWarmUpTicks = 100;      // before, noise and resolution are not known
constexpr double kJumpFloor = 3e-3;    // [m], [rad]
constexpr double kWindowFloor = 5e-4;  // [m], [rad]: a velocity that is wrong by 0.05 per second, in ten ticks
constexpr double kFrozenFloor = 1e-5;  // [m], [rad]
constexpr double kRateOffset = 2e-3;   // [m/s], [rad/s]: an offset of a sound velocity, seen by a position that rests
constexpr double kMeanGain = 0.01;     // of the low-pass of |r|, per tick
constexpr double kNoiseFactor = 10.0;  // over the mean |r|; 8 standard deviations of white noise

/// The resolution of a channel; of one that has not changed yet, the finest of its neighbours'.
double resolution_of(const Eigen::VectorXd& least, Eigen::Index channel, double unknown) {
  if (std::isfinite(least[channel])) return least[channel];
  const double finest = least.minCoeff();
  return std::isfinite(finest) ? finest : unknown;
}

}  // namespace

PairWatch::PairWatch(Eigen::Index num_channels, double period_s, double rate_lag_s, bool has_turned_axes)
    : period_s_(period_s),
      rate_lag_s_(rate_lag_s),
      has_turned_axes_(has_turned_axes),
      last_velocity_(Eigen::VectorXd::Zero(num_channels)),
      expected_(last_velocity_),
      change_(last_velocity_),
      residual_(last_velocity_),
      left_position_(last_velocity_),
      left_velocity_(last_velocity_),
      variation_(last_velocity_),
      position_repeats_(Eigen::VectorXi::Zero(num_channels)),
      velocity_repeats_(position_repeats_),
      residuals_(Eigen::MatrixXd::Zero(num_channels, kWindow)),
      changes_(residuals_),
      is_fresh_(Eigen::MatrixXi::Zero(num_channels, kWindow)),
      least_step_(Eigen::VectorXd::Constant(num_channels, std::numeric_limits<double>::infinity())),
      least_change_(least_step_),
      mean_residual_(last_velocity_) {}

void PairWatch::restart() {
  left_position_.setZero();
  left_velocity_.setZero();
  variation_.setZero();
  position_repeats_.setZero();
  velocity_repeats_.setZero();
  residuals_.setZero();
  changes_.setZero();
  is_fresh_.setZero();
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
  change_ = velocity - last_velocity_;
  residual_ = step - expected_;
  last_velocity_ = velocity;
  const double most_change = change_.cwiseAbs().maxCoeff(), most_travel = expected_.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < step.size(); ++i) look_at(i, step[i], most_change, most_travel);
  // Where a jump is among the residuals, they say nothing of the velocity.
  if (findings_.position_jumped) {
    is_fresh_.setZero();
    left_velocity_.setZero();
    findings_.velocity_jumped = false;
  }
  if (findings_.has_any()) return findings_;
  for (Eigen::Index i = 0; i < step.size(); ++i) learn(i, step[i], change_[i]);
  if (has_turned_axes_ && !step.isZero(0.0)) least_step_.setConstant(std::min(least_step_[0], step.norm()));
  return findings_;
}

void PairWatch::look_at(Eigen::Index i, double step, double most_change, double most_travel) {
  const bool position_repeats = step == 0.0, velocity_repeats = change_[i] == 0.0;
  const double allowed = kJumpFloor + 2.0 * period_s_ * most_change + 2.0 * most_travel +
                         2.0 * position_repeats_[i] * std::abs(expected_[i]) + kNoiseFactor * mean_residual_[i];
  if (age_ > kWarmUpTicks && std::abs(residual_[i]) > allowed) findings_.position_jumped = true;
  position_repeats_[i] = position_repeats ? position_repeats_[i] + 1 : 0;
  velocity_repeats_[i] = velocity_repeats ? velocity_repeats_[i] + 1 : 0;
  left_position_[i] = position_repeats ? left_position_[i] + expected_[i] : 0.0;
  variation_[i] = position_repeats ? variation_[i] + std::abs(change_[i]) : 0.0;
  left_velocity_[i] = velocity_repeats ? left_velocity_[i] + residual_[i] : 0.0;
  // The window begins after the tick in this column, whose position was the last one before it.
  const Eigen::Index column = ticks_ % kWindow;
  const bool began_fresh = is_fresh_(i, column) != 0;
  residuals_(i, column) = residual_[i];
  changes_(i, column) = std::abs(change_[i]);
  is_fresh_(i, column) = position_repeats ? 0 : 1;
  if (age_ <= kWarmUpTicks) return;
  if (began_fresh && !position_repeats) watch_window(i);
  watch_repeats(i);
}

void PairWatch::watch_window(Eigen::Index i) {
  const double resolution = resolution_of(least_step_, i, 0.0);
  const double bound = kWindowFloor + (period_s_ + rate_lag_s_) * changes_.row(i).sum() + 2.0 * resolution +
                       kNoiseFactor * mean_residual_[i];
  if (std::abs(residuals_.row(i).sum()) > bound) findings_.velocity_jumped = true;
}

void PairWatch::watch_repeats(Eigen::Index i) {
  const double resolution = resolution_of(least_step_, i, kJumpFloor);
  const double floor = kFrozenFloor + 2.0 * resolution;
  if (position_repeats_[i] >= kFrozenTicks) {
    const double bound = floor + (period_s_ + rate_lag_s_) * variation_[i] +
                         position_repeats_[i] * period_s_ * (kRateOffset + resolution_of(least_change_, i, 0.0));
    if (std::abs(left_position_[i]) > bound) findings_.position_frozen = true;
  }
  if (velocity_repeats_[i] >= kFrozenTicks) {
    // A velocity of coarse resolution may be wrong by that, all the time.
    const double bound =
        floor + kNoiseFactor * mean_residual_[i] +
        velocity_repeats_[i] * period_s_ * (kRateOffset + resolution_of(least_change_, i, kRateOffset));
    if (std::abs(left_velocity_[i]) > bound) findings_.velocity_frozen = true;
  }
}

void PairWatch::learn(Eigen::Index i, double step, double change) {
  if (step != 0.0 && !has_turned_axes_) least_step_[i] = std::min(least_step_[i], std::abs(step));
  if (change != 0.0) least_change_[i] = std::min(least_change_[i], std::abs(change));
  // A position that repeats itself says nothing of the noise. Once that is known, a fault that grows must not raise
  // the bound that would show it.
  if (position_repeats_[i] > 0 || (velocity_repeats_[i] > 0 && age_ > kWarmUpTicks)) return;
  const double sample = std::abs(residual_[i]);
  const double bounded = age_ > kWarmUpTicks ? std::min(sample, 3.0 * mean_residual_[i] + kFrozenFloor) : sample;
  mean_residual_[i] += kMeanGain * (bounded - mean_residual_[i]);
}

}  // namespace aplomb
