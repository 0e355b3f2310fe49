#include "aplomb/control/task_priority/zmp_feedback.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Kp by rule: 1/(1 + Kp) = 0.44 of a constant disturbance remains; 0.62 with half the gain, 0.29 with double. Tuned.
constexpr double kGain = 1.25;
// ωn by rule, over ω0, lowered in steps of 5 % until the margins hold. Tuned; docs/task_priority.md has the margins
// that it leaves, by stiffness and damping of the servos.
constexpr double kBandwidth = 0.75, kLowering = 0.95, kLeastBandwidth = 0.05;
constexpr double kDamping = 0.8;     // ζ by rule: overshoot of 1.5 %; 25 % at half of it, none from ζ = 1 on
constexpr double kGainMargin = 2.5;  // 8 dB
constexpr double kPeak = 1.8;        // largest |1/(1 + L)|; 1.4 to 2 is usual

}  // namespace

ZmpFeedback::Gains ZmpFeedback::Gains::for_body(double height, const Sway& sway) {
  Gains gains{.kp = kGain, .kd_s = 0.0, .damping = kDamping};
  for (double bandwidth = kBandwidth; bandwidth > kLeastBandwidth; bandwidth *= kLowering) {
    gains.bandwidth = bandwidth * std::sqrt(kGravity / height);
    const LoopMargins margins = ZmpFeedback(gains, height).margins(sway);
    if (margins.is_stable && margins.gain > kGainMargin && margins.peak < kPeak) break;
  }
  return gains;
}

ZmpFeedback::Sway ZmpFeedback::Sway::of_body(double mass, double height, double stiffness, double damping) {
  const double inertia = mass * height * height;
  const double spring = std::max(stiffness - mass * kGravity * height, 1e-9);  // gravity destabilizes
  const double frequency = std::sqrt(spring / inertia);
  return {.frequency = frequency, .damping = damping / (2.0 * frequency * inertia)};
}

ZmpFeedback::ZmpFeedback(const Gains& gains, double height) : gains_(gains), height_(height) {
  const double share = gains.kp / (1.0 + gains.kp);
  const double bandwidth = std::max(gains.bandwidth, 1e-6);
  mass_ = 1.0 / (bandwidth * bandwidth) + share * height / kGravity;
  drag_ = 2.0 * gains.damping / bandwidth;
  spring_ = 1.0 - share;
  gain_ = share;
}

void ZmpFeedback::update(const Eigen::Vector2d& zmp_error, double gate, const Eigen::Vector2d& largest,
                         double period_s) {
  const Eigen::Vector2d error =
      gains_.is_printed ? Eigen::Vector2d(gate * zmp_error) : Eigen::Vector2d(gate * zmp_error - (1.0 - gate) * shift_);
  const Eigen::Vector2d rate = (error - last_error_) / period_s;
  last_error_ = error;
  if (gains_.is_printed) shift_ = gains_.kp * error + gains_.kd_s * rate;
  if (gains_.is_printed || !(gains_.kp > 0.0)) return;
  // Semi-implicit Euler, stable for any period.
  velocity_ = (velocity_ + period_s / mass_ * (gain_ * error + gains_.kd_s * rate - spring_ * shift_)) /
              (1.0 + period_s * drag_ / mass_);
  shift_ += period_s * velocity_;
  for (int i = 0; i < 2; ++i) {
    if (std::abs(shift_[i]) <= largest[i]) continue;
    shift_[i] = std::clamp(shift_[i], -largest[i], largest[i]);
    if (velocity_[i] * shift_[i] > 0.0) velocity_[i] = 0.0;
  }
}

LoopMargins ZmpFeedback::margins(const Sway& sway) const {
  // L(jω): filter, sway, and the transfer function from CoM to ZMP; negative feedback.
  const auto loop = [&](double omega) {
    const std::complex<double> s(0.0, omega);
    const std::complex<double> filter = gains_.is_printed
                                            ? gains_.kp + gains_.kd_s * s
                                            : (gain_ + gains_.kd_s * s) / (mass_ * s * s + drag_ * s + spring_);
    const double w = sway.frequency;
    const std::complex<double> body = w * w / (s * s + 2.0 * sway.damping * w * s + w * w);
    return filter * body * (1.0 + omega * omega * height_ / kGravity);
  };
  LoopMargins margins{.gain = std::numeric_limits<double>::infinity(), .phase = std::numbers::pi};
  std::complex<double> last = loop(1e-3);
  double turned = 0.0;  // angle of 1 + L along ω: Nyquist criterion
  for (double omega = 1e-3; omega < 1e5; omega *= 1.002) {
    const std::complex<double> now = loop(omega);
    turned += std::arg((1.0 + now) / (1.0 + last));
    margins.peak = std::max(margins.peak, 1.0 / std::abs(1.0 + now));
    if (now.imag() * last.imag() < 0.0 && now.real() < 0.0) margins.gain = std::min(margins.gain, 1.0 / std::abs(now));
    if ((std::abs(now) - 1.0) * (std::abs(last) - 1.0) < 0.0) {
      margins.phase = std::min(margins.phase, std::numbers::pi - std::abs(std::arg(now)));
    }
    last = now;
  }
  // L has no poles in the right half-plane, so the loop is stable when 1 + L does not encircle zero.
  margins.is_stable = std::abs(turned) < 0.5 * std::numbers::pi;
  return margins;
}

}  // namespace aplomb
