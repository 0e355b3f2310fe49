#include "aplomb/control/rise/plan_follower.hpp"

#include <algorithm>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/centroidal_dynamics.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// A share may exceed the measured one by this fraction of the weight: noise, and a real contact that lags behind the
// planned one, must not reduce it. Both tuned.
constexpr double kSeatTolerance = 0.15;
constexpr double kHandTolerance = 0.03;
constexpr double kUnloaded = 0.01;  // fraction of the weight below which a seat has no meaningful centre of pressure

Eigen::Matrix3Xd rate_of(const Eigen::Matrix3Xd& values, double rate_hz) {
  Eigen::Matrix3Xd rate = Eigen::Matrix3Xd::Zero(3, values.cols());
  for (Eigen::Index i = 1; i + 1 < values.cols(); ++i) {
    rate.col(i) = 0.5 * rate_hz * (values.col(i + 1) - values.col(i - 1));
  }
  return rate;
}

}  // namespace

PlanFollower::PlanFollower(const RobotModel& model, const PlanReference& plan)
    : player_(plan.plan, plan.speed, plan.start_s),
      start_s_(plan.start_s),
      momentum_table_(
          centroidal_momentum(model, plan.plan->trajectory.q, plan.speed * plan.plan->trajectory.v).angular_momentum),
      rate_table_(rate_of(momentum_table_, plan.speed * plan.plan->trajectory.rate_hz)),
      sample_(&player_.at(0.0, 0.0)),
      chair_(model, *plan.plan, plan.start_s),
      carriers_(1),
      reference_(joint_positions(sample_->q)) {
  reference_.loads = {{.frame = model.frame(model.tree().bodies.front().link)}};
  const bool has_hands = hand_share_of(plan.plan->trajectory).cols() > 0;
  const ContactPlan& schedule = plan.plan->contacts;
  for (const ContactSite site : schedule.sites()) {
    const ContactPlan::Contact& first = *schedule.nearest(site, plan.plan->trajectory.start_s);
    if (is_hand(site) && has_hands) {
      reference_.loads.push_back({.frame = model.frame(first.link)});
      carriers_.push_back({.site = site, .point_in_link = first.point, .side = side_of(site)});
    }
    if (site != ContactSite::seat) continue;
    reference_.loads.front().frame = model.frame(first.link);
    carriers_.front().point_in_link = first.point;
  }
  carriers_.front().share = sample_->seat_share;
}

void PlanFollower::update(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) {
  advance(terms, readings, fallbacks);
  update_motion(readings);
  update_momentum();
  update_seat(terms);
  update_hands(terms, readings, fallbacks);
}

void PlanFollower::advance(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) {
  if (readings.time_s < start_s_) return;
  plan_s_ = std::min(plan_s_ + player_.speed() * kControlPeriod, player_.duration_s());
  // The share of the seat is limited by the measured one: a robot that has left it early must stand on its feet.
  const double weight = terms.mass() * kGravity;
  double& share = carriers_.front().share;
  share = sample_->seat_share;
  if (!readings.lost(Sensor::seat_wrench) && readings.seat_wrench.force.allFinite()) {
    share = std::min(share, std::max(readings.seat_wrench.force.z() / weight, 0.0) + kSeatTolerance);
  } else if (share > 0.0) {
    fallbacks.take(Sensor::seat_wrench, "counts on the seat's planned share of the load");
  }
}

void PlanFollower::update_motion(const SensorReadings& readings) {
  sample_ = &player_.at(plan_s_, plan_s_ > 0.0 ? player_.speed() : 0.0);
  chair_.update(readings, plan_s_);
  const Eigen::Index num_joints = reference_.angle.size();
  reference_.com = sample_->com;
  reference_.com.position += chair_.com();
  reference_.angle = joint_positions(sample_->q);
  reference_.angle += chair_.angle();
  reference_.rate = joint_velocities(sample_->v);
  reference_.acceleration = sample_->a.tail(num_joints);
}

void PlanFollower::update_seat(const RobotTerms& terms) {
  const Carrier& seat = carriers_.front();
  BalanceReference::Load& load = reference_.loads.front();
  load.point = terms.frame(load.frame).T_world_frame * seat.point_in_link;
  if (const PlanSample::ContactWrench* const planned = sample_->wrench_of(ContactSite::seat)) {
    // The load has no moment: its force acts at the planned centre of pressure.
    const auto& wrench = planned->wrench;
    if (wrench[2] > kUnloaded * terms.mass() * kGravity) {
      load.point += Eigen::Vector3d(-wrench[4], wrench[3], 0.0) / wrench[2];
    }
  }
  load.availability = std::clamp(seat.share / 0.1, 0.0, 1.0);
  // While the seat carries weight, the height of the CoM follows from the posture.
  reference_.height_gain = 1.0 - seat.share;
  reference_.is_seated = seat.share > 0.0;
}

/// Limits the share of each hand to the measured one plus a tolerance, as for the seat.
void PlanFollower::update_hands(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) {
  const double weight = terms.mass() * kGravity;
  for (std::size_t i = 1; i < carriers_.size(); ++i) {
    Carrier& hand = carriers_[i];
    BalanceReference::Load& load = reference_.loads[i];
    const Eigen::Isometry3d& T_world_hand = terms.frame(load.frame).T_world_frame;
    load.point = T_world_hand * hand.point_in_link;
    hand.share = sample_->hand_share[hand.side];
    const Sensor sensor = hand.side == kLeft ? Sensor::left_hand_wrench : Sensor::right_hand_wrench;
    const Eigen::Vector3d& measured = readings.hand_wrench[static_cast<std::size_t>(hand.side)].force;
    if (readings.lost(sensor) || !measured.allFinite()) {
      if (hand.share > 0.0) fallbacks.take(sensor, "counts on that hand's planned share of the load");
      continue;
    }
    const double carried = T_world_hand.linear().row(2).dot(measured) / weight;
    hand.share = std::min(hand.share, std::max(carried, 0.0) + kHandTolerance);
    load.availability = std::clamp(hand.share / 0.05, 0.0, 1.0);
  }
}

void PlanFollower::distribute(const Eigen::Vector3d& total_force) {
  Eigen::Vector3d planned_total = Eigen::Vector3d::Zero();
  for (const PlanSample::ContactWrench& contact : sample_->wrenches) planned_total += contact.wrench.head<3>();
  for (std::size_t i = 0; i < carriers_.size(); ++i) {
    const Carrier& carrier = carriers_[i];
    Eigen::Vector3d& force = reference_.loads[i].force;
    force = carrier.share * total_force;
    const PlanSample::ContactWrench* const planned = sample_->wrench_of(carrier.site);
    if (planned == nullptr || !(planned->wrench[2] > 0.0) || !(planned_total.z() > 0.0)) continue;
    // Its planned force, as far as the seat or hand is loaded, and its share of what the balance adds to the plan.
    const double planned_share = planned->wrench[2] / planned_total.z();
    force += carrier.share * (planned->wrench.head<3>() / planned_share - planned_total);
  }
}

void PlanFollower::update_momentum() {
  const double at =
      std::clamp(plan_s_ * player_.plan().trajectory.rate_hz, 0.0, static_cast<double>(momentum_table_.cols() - 1));
  const auto i = std::min(static_cast<Eigen::Index>(at), momentum_table_.cols() - 2);
  const double u = at - static_cast<double>(i);
  const bool is_moving = plan_s_ > 0.0 && plan_s_ < player_.duration_s();
  const double moving = is_moving ? 1.0 : 0.0;
  reference_.angular_momentum = moving * ((1.0 - u) * momentum_table_.col(i) + u * momentum_table_.col(i + 1));
  reference_.angular_momentum_rate = moving * ((1.0 - u) * rate_table_.col(i) + u * rate_table_.col(i + 1));
}

}  // namespace aplomb
