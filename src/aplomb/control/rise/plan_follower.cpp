#include "aplomb/control/rise/plan_follower.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;         // [s] between two ticks
constexpr double kSeatTolerance = 0.15;  // share of the weight that the seat may carry less than planned
constexpr double kHandTolerance = 0.03;  // and each hand

/// Of the planned states, about the CoM; one column a sample.
Eigen::Matrix3Xd momentum_of(const RobotModel& model, const Trajectory& trajectory, double speed) {
  RobotTerms terms(model, {});
  Eigen::Matrix3Xd momentum(3, trajectory.num_samples());
  RobotState state{trajectory.q.col(0), trajectory.v.col(0)};
  for (Eigen::Index i = 0; i < trajectory.num_samples(); ++i) {
    state.q = trajectory.q.col(i);
    state.v = speed * trajectory.v.col(i);
    terms.update(state);
    momentum.col(i) = terms.momentum().tail<3>();
  }
  return momentum;
}

Eigen::Matrix3Xd rate_of(const Eigen::Matrix3Xd& values, double rate_hz) {
  Eigen::Matrix3Xd rate = Eigen::Matrix3Xd::Zero(3, values.cols());
  for (Eigen::Index i = 1; i + 1 < values.cols(); ++i) {
    rate.col(i) = 0.5 * rate_hz * (values.col(i + 1) - values.col(i - 1));
  }
  return rate;
}

}  // namespace

PlanFollower::PlanFollower(const RobotModel& model, const PlanReference& request)
    : player_(request.plan, request.speed, request.start_s),
      start_s_(request.start_s),
      seat_frame_(model.frame(model.tree().bodies.front().link)),
      momentum_table_(momentum_of(model, request.plan->trajectory, request.speed)),
      rate_table_(rate_of(momentum_table_, request.speed * request.plan->trajectory.rate_hz)),
      sample_(&player_.at(0.0, 0.0)),
      chair_(model, *request.plan, request.start_s),
      angle_(sample_->q.tail(model.num_joints())) {
  for (const ContactPlan::Contact& contact : request.plan->contacts.contacts) {
    if (contact.name.ends_with("_hand") && request.plan->trajectory.hand_share.cols() > 0) {
      hands_.push_back({.frame = model.frame(contact.link),
                        .side = contact.name == "left_hand" ? kLeft : kRight,
                        .point_in_link = contact.point});
    }
    if (contact.name != "seat") continue;
    seat_frame_ = model.frame(contact.link);
    point_in_seat_ = contact.point;
  }
  share_ = sample_->seat_share;
}

void PlanFollower::update(const RobotTerms& terms, const SensorReadings& readings) {
  advance(terms, readings);
  sample_ = &player_.at(plan_s_, plan_s_ > 0.0 ? player_.speed() : 0.0);
  chair_.update(readings, plan_s_);
  look_up_momentum();
  update_hands(terms, readings);
  seat_point_ = terms.frame(seat_frame_).T_world_frame * point_in_seat_;
  angle_ = sample_->q.tail(angle_.size());
  angle_ += chair_.angle();
}

void PlanFollower::advance(const RobotTerms& terms, const SensorReadings& readings) {
  if (readings.time_s < start_s_) return;
  plan_s_ = std::min(plan_s_ + player_.speed() * kPeriod, player_.duration_s());
  // The seat cannot be asked to carry what it does not: a robot that has left it early must stand on its feet.
  const double weight = terms.mass() * kGravity;
  share_ = sample_->seat_share;
  if (!readings.lost(Sensor::seat_wrench) && readings.seat_wrench.force.allFinite()) {
    share_ = std::min(share_, std::max(readings.seat_wrench.force.z() / weight, 0.0) + kSeatTolerance);
  }
}

/// As with the seat: no more than a hand was measured to carry, and a little.
void PlanFollower::update_hands(const RobotTerms& terms, const SensorReadings& readings) {
  const double weight = terms.mass() * kGravity;
  for (Hand& hand : hands_) {
    const Eigen::Isometry3d& T_world_hand = terms.frame(hand.frame).T_world_frame;
    hand.point = T_world_hand * hand.point_in_link;
    hand.share = sample_->hand_share[hand.side];
    const Sensor sensor = hand.side == kLeft ? Sensor::left_hand_wrench : Sensor::right_hand_wrench;
    const Eigen::Vector3d& measured = readings.hand_wrench[static_cast<std::size_t>(hand.side)].force;
    if (readings.lost(sensor) || !measured.allFinite()) continue;
    const double carried = T_world_hand.linear().row(2).dot(measured) / weight;
    hand.share = std::min(hand.share, std::max(carried, 0.0) + kHandTolerance);
  }
}

void PlanFollower::carry(const Eigen::Vector3d& all) {
  seat_force_ = share_ * all;
  for (Hand& hand : hands_) hand.force = hand.share * all;
}

void PlanFollower::look_up_momentum() {
  const double at =
      std::clamp(plan_s_ * player_.plan().trajectory.rate_hz, 0.0, static_cast<double>(momentum_table_.cols() - 1));
  const auto i = std::min(static_cast<Eigen::Index>(at), momentum_table_.cols() - 2);
  const double u = at - static_cast<double>(i);
  const bool is_moving = plan_s_ > 0.0 && plan_s_ < player_.duration_s();
  const double moving = is_moving ? 1.0 : 0.0;
  angular_momentum_ = moving * ((1.0 - u) * momentum_table_.col(i) + u * momentum_table_.col(i + 1));
  angular_rate_ = moving * ((1.0 - u) * rate_table_.col(i) + u * rate_table_.col(i + 1));
}

}  // namespace aplomb
