#include "aplomb/motion/plan_player.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

/// Cubic Hermite interpolation of an angle between two samples with known rates, at the fraction u of the interval.
double between(double q0, double v0, double q1, double v1, double step_s, double u) {
  const double d = q1 - q0;
  return q0 + u * (v0 * step_s + u * (3.0 * d - (2.0 * v0 + v1) * step_s + u * ((v0 + v1) * step_s - 2.0 * d)));
}

}  // namespace

PlanPlayer::PlanPlayer(std::shared_ptr<const MotionPlan> plan, double speed, double start_s)
    : plan_(std::move(plan)), speed_(speed), start_s_(start_s) {
  const Trajectory& trajectory = plan_->trajectory;
  if (trajectory.num_samples() < 2) throw InvalidValue("a plan needs two samples or more");
  if (!(speed > 0.0)) throw InvalidValue("the speed of a plan must be positive");
  duration_s_ = trajectory.end_s() - trajectory.start_s;
  for (const ContactPlan::Contact& contact : plan_->contacts.contacts) {
    const double off_s = std::clamp(contact.end_s - trajectory.start_s, 0.0, duration_s_);
    if (contact.site == ContactSite::seat) seat_off_s_ = off_s;
    if (contact.site == ContactSite::seat || is_hand(contact.site)) on_feet_s_ = std::max(on_feet_s_, off_s);
  }
  sample_.q = trajectory.q.col(0);
  sample_.v = sample_.a = Eigen::VectorXd::Zero(trajectory.v.rows());
}

const PlanSample& PlanPlayer::at(double time_s) { return at((time_s - start_s_) * speed_, speed_); }

const PlanSample& PlanPlayer::at(double plan_s, double rate) {
  const Trajectory& t = plan_->trajectory;
  const double last = static_cast<double>(t.num_samples() - 1);
  const double at = std::clamp(plan_s * t.rate_hz, 0.0, last);
  const auto i = std::min(static_cast<Eigen::Index>(at), t.num_samples() - 2);
  const double u = at - static_cast<double>(i);
  const auto mix = [i, u](const auto& columns) { return (1.0 - u) * columns.col(i) + u * columns.col(i + 1); };
  const bool is_moving = plan_s > 0.0 && at < last;
  const double speed = is_moving ? rate : 0.0, acceleration = speed * speed;

  sample_.q = mix(t.q);
  if (t.q.col(i).segment<4>(3).dot(t.q.col(i + 1).segment<4>(3)) < 0.0) {
    sample_.q.segment<4>(3) = (1.0 - u) * t.q.col(i).segment<4>(3) - u * t.q.col(i + 1).segment<4>(3);
  }
  sample_.q.segment<4>(3).normalize();
  for (Eigen::Index k = 7; k < t.q.rows(); ++k) {
    sample_.q[k] = between(t.q(k, i), t.v(k - 1, i), t.q(k, i + 1), t.v(k - 1, i + 1), 1.0 / t.rate_hz, u);
  }
  sample_.v = speed * mix(t.v);
  sample_.a = acceleration * mix(t.a);
  sample_.com.position = mix(t.com);
  sample_.com.velocity = speed * mix(t.com_velocity);
  sample_.com.acceleration = acceleration * mix(t.com_acceleration);
  if (t.com_person.cols() > 0) sample_.com_person = mix(t.com_person);
  // At rest the ZMP is below the CoM; the last sample's own has the noise of its acceleration.
  sample_.zmp = is_moving ? Eigen::Vector2d(mix(t.zmp)) : Eigen::Vector2d(sample_.com.position.head<2>());
  sample_.force = mix(t.force);
  if (t.hand_share.cols() > 0) sample_.hand_share = mix(t.hand_share);
  sample_.seat_share = (1.0 - u) * t.seat_share[i] + u * t.seat_share[i + 1];
  sample_.seat_share_rate = speed * t.rate_hz * (t.seat_share[i + 1] - t.seat_share[i]);
  return sample_;
}

}  // namespace aplomb
