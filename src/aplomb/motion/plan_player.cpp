#include "aplomb/motion/plan_player.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/interpolation.hpp"

namespace aplomb {
namespace {

bool is_support(const ContactPlan::Contact& contact) {
  return contact.site == ContactSite::seat || is_hand(contact.site);
}

/// End of the seat and hand contacts that hold at `start_s`, and of those that overlap with them.
double end_of_support(const ContactPlan& plan, double start_s) {
  double end_s = start_s;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const ContactPlan::Contact& contact : plan.contacts) {
      if (!is_support(contact) || !contact.holds(end_s)) continue;
      end_s = contact.end_s;
      has_grown = true;
    }
  }
  return end_s;
}

}  // namespace

const PlanSample::ContactWrench* PlanSample::wrench_of(ContactSite site) const {
  const auto found = std::ranges::find(wrenches, site, &ContactWrench::site);
  return found == wrenches.end() ? nullptr : &*found;
}

PlanPlayer::PlanPlayer(std::shared_ptr<const MotionPlan> plan, double speed, double start_s)
    : plan_(std::move(plan)), speed_(speed), start_s_(start_s) {
  const Trajectory& trajectory = plan_->trajectory;
  if (trajectory.num_samples() < 2) throw InvalidValue("a plan needs two samples or more");
  if (!(speed > 0.0)) throw InvalidValue("the speed of a plan must be positive");
  duration_s_ = trajectory.end_s() - trajectory.start_s;
  const auto in_plan = [&](double time_s) { return std::clamp(time_s - trajectory.start_s, 0.0, duration_s_); };
  for (const ContactPlan::Contact& contact : plan_->contacts.contacts) {
    if (contact.site == ContactSite::seat && contact.holds(trajectory.start_s)) seat_off_s_ = in_plan(contact.end_s);
  }
  on_feet_s_ = in_plan(end_of_support(plan_->contacts, trajectory.start_s));
  seat_share_ = seat_share_of(trajectory);
  hand_share_ = hand_share_of(trajectory);
  sample_.q = trajectory.q.col(0);
  sample_.v = sample_.a = Eigen::VectorXd::Zero(trajectory.v.rows());
  sample_.torque = Eigen::VectorXd::Zero(trajectory.torque.rows());
  for (const Trajectory::ContactWrenches& contact : trajectory.wrenches) {
    sample_.wrenches.push_back({.site = contact.site});
  }
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

  interpolate_motion(t, i, u, sample_.q, sample_.v, sample_.a);
  sample_.v *= speed;
  sample_.a *= acceleration;
  interpolate_point(t.com, t.com_velocity, t.com_acceleration, t.rate_hz, i, u, sample_.com.position,
                    sample_.com.velocity, sample_.com.acceleration);
  sample_.com.velocity *= speed;
  sample_.com.acceleration *= acceleration;
  if (t.com_person.cols() > 0) sample_.com_person = mix(t.com_person);
  // At rest the ZMP is below the CoM; the last sample's own has the noise of its acceleration.
  sample_.zmp = is_moving ? Eigen::Vector2d(mix(t.zmp)) : Eigen::Vector2d(sample_.com.position.head<2>());
  sample_.force = mix(t.force);
  if (hand_share_.cols() > 0) sample_.hand_share = mix(hand_share_);
  sample_.seat_share = (1.0 - u) * seat_share_[i] + u * seat_share_[i + 1];
  sample_.seat_share_rate = speed * t.rate_hz * (seat_share_[i + 1] - seat_share_[i]);
  if (t.torque.size() > 0) sample_.torque = mix(t.torque);
  for (std::size_t k = 0; k < t.wrenches.size(); ++k) sample_.wrenches[k].wrench = mix(t.wrenches[k].wrench);
  return sample_;
}

}  // namespace aplomb
