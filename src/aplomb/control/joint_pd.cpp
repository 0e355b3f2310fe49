#include "aplomb/control/joint_pd.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/control/joints/servo_gains.hpp"
#include "aplomb/control/planned_torque.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;  // [s] between two ticks

/// The part of the body that each joint may have to carry: all of it where it carries the body, the share of a hand
/// that the plan has push between the base and that hand.
Eigen::VectorXd carried_share(const RobotModel& model, const MotionPlan* plan) {
  const std::vector<bool> carries = carries_body(model);
  Eigen::VectorXd carried(model.num_joints());
  for (int i = 0; i < model.num_joints(); ++i) carried[i] = carries[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
  if (plan == nullptr || plan->trajectory.hand_share.cols() == 0) return carried;
  for (const ContactPlan::Contact& contact : plan->contacts.contacts) {
    if (!contact.name.ends_with("_hand")) continue;
    const double share = plan->trajectory.hand_share.row(contact.name == "left_hand" ? 0 : 1).maxCoeff();
    for (int joint : model.joint_chain(model.frame(contact.link))) carried[joint] = std::max(carried[joint], share);
  }
  return carried;
}

/// Height of the CoM when the robot stands in a posture.
double standing_height(const RobotModel& model, const RobotState& posture) {
  RobotState standing = posture;
  model.stand_on_soles(standing);
  RobotTerms terms(model, {});
  terms.update(standing);
  return std::max(terms.com().z(), 1e-2);
}

/// Where a plan leads: a robot that is to stand needs the gains of one that stands.
RobotState end_of(const MotionPlan& plan) {
  const Trajectory& trajectory = plan.trajectory;
  return {trajectory.q.rightCols<1>(), Eigen::VectorXd::Zero(trajectory.v.rows())};
}

/// A feed-forward that follows the measured load makes that load larger still: it integrates what the springs do. It
/// must therefore be slow against the robot's own time √(h/g).
double share_cutoff_hz(double height) { return 0.25 * std::sqrt(kGravity / height) / (2.0 * std::numbers::pi); }

/// Whether joints and base are known: a lost one reads zero.
bool has_state(const SensorReadings& readings) {
  for (Sensor sensor : {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position, Sensor::base_orientation,
                        Sensor::base_velocity, Sensor::base_angular_velocity}) {
    if (readings.lost(sensor)) return false;
  }
  return readings.state.q.allFinite() && readings.state.v.allFinite();
}

}  // namespace

JointPd::JointPd(const RobotModel& model, const RobotState& hold, const Settings& settings)
    : model_(&model),
      terms_(model, sole_frames(model)),
      static_torque_(model),
      command_(model.num_joints()),
      hold_(hold.q.tail(model.num_joints())),
      left_of_feet_(share_cutoff_hz(standing_height(model, hold)), kPeriod),
      seat_of_all_(share_cutoff_hz(standing_height(model, hold)), kPeriod) {
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("joint_pd: gain_scale must be positive");
  command_.position = hold_;
  const PlanReference& plan = settings.plan;
  set_gains(plan.plan ? end_of(*plan.plan) : hold, settings.gain_scale, plan.plan.get());
  if (!plan.plan) return;
  player_.emplace(plan.plan, plan.speed, plan.start_s);
  if (settings.finds_chair) chair_.emplace(model, *plan.plan, plan.start_s);
  if (settings.feeds_forward) planned_torque_ = planned_torque(model, *plan.plan, plan.speed);
}

void JointPd::set_gains(const RobotState& hold, double gain_scale, const MotionPlan* plan) {
  const Actuation& actuation = model_->description().actuation;
  if (actuation.kind == Actuation::Kind::servo) {
    command_.stiffness.setConstant(actuation.stiffness);
    command_.damping.setConstant(actuation.damping);
    return;
  }
  const double height = standing_height(*model_, hold);
  terms_.update(hold);
  const double body = 2.5 * terms_.mass() * kGravity * height;
  const double omega = 5.0 * std::sqrt(kGravity / height);
  const Eigen::VectorXd carried = carried_share(*model_, plan);
  for (int i = 0; i < model_->num_joints(); ++i) {
    const double inertia = terms_.mass_matrix()(6 + i, 6 + i);
    const double carrying = carried[i] * body, lasting = 0.27 * std::sqrt(height / kGravity);
    const bool is_leg = carried[i] == 1.0;
    command_.stiffness[i] = gain_scale * (is_leg ? body : std::max(carrying, omega * omega * inertia));
    command_.damping[i] = gain_scale * (is_leg ? lasting * body : std::max(lasting * carrying, 2.0 * omega * inertia));
  }
}

void JointPd::update_shares(const SensorReadings& readings) {
  using Number = Eigen::Matrix<double, 1, 1>;
  const auto is_known = [&](Sensor sensor, const Wrench& wrench) {
    return !readings.lost(sensor) && wrench.force.allFinite();
  };
  if (!is_known(Sensor::left_foot_wrench, readings.foot_wrench[kLeft]) ||
      !is_known(Sensor::right_foot_wrench, readings.foot_wrench[kRight])) {
    return;
  }
  const double left = std::max(readings.foot_wrench[kLeft].force.z(), 0.0);
  const double right = std::max(readings.foot_wrench[kRight].force.z(), 0.0);
  const double seat = readings.seat_wrench.force.z();
  // With hardly any load a ratio means nothing: keep the last one.
  const double least = 0.05 * model_->mass() * kGravity;
  if (left + right >= least) left_part_ = left_of_feet_.update(Number(left / (left + right)))[0];
  if (is_known(Sensor::seat_wrench, readings.seat_wrench) && left + right + seat >= least) {
    seat_part_ = seat_of_all_.update(Number(seat / (left + right + seat)))[0];
  }
}

std::string_view JointPd::fallback(Sensor sensor) const {
  switch (sensor) {
    case Sensor::left_foot_wrench:
    case Sensor::right_foot_wrench:
      return "keeps the last known share of the weight on each foot";
    case Sensor::seat_wrench:
      return "keeps the last known share of the weight on the seat";
    case Sensor::joint_position:
    case Sensor::joint_velocity:
    case Sensor::base_position:
    case Sensor::base_orientation:
    case Sensor::base_velocity:
    case Sensor::base_angular_velocity:
      return "holds the last command; the drives' springs and dampers go on";
    default:
      return "not needed: joint_pd does not use this sensor";
  }
}

const Command& JointPd::follow(const SensorReadings& readings) {
  const double time_s = readings.time_s;
  const PlanSample& now = player_->at(time_s);
  command_.position = now.q.tail(model_->num_joints());
  command_.velocity = now.v.tail(model_->num_joints());
  if (chair_) {
    chair_->update(readings, (time_s - player_->start_s()) * player_->speed());
    command_.position += chair_->angle();
  }
  if (planned_torque_.size() > 0) {
    const double at = std::clamp((time_s - player_->start_s()) * player_->speed() * player_->plan().trajectory.rate_hz,
                                 0.0, static_cast<double>(planned_torque_.cols() - 1));
    const auto i = std::min(static_cast<Eigen::Index>(at), planned_torque_.cols() - 2);
    const double u = at - static_cast<double>(i);
    command_.torque = (1.0 - u) * planned_torque_.col(i) + u * planned_torque_.col(i + 1);
  }
  if (model_->description().actuation.kind == Actuation::Kind::servo) {
    command_.position += command_.torque.cwiseQuotient(command_.stiffness);
  }
  command_.status = CommandStatus::solved;
  return command_;
}

const Command& JointPd::step(const SensorReadings& readings) {
  if (!has_state(readings)) {
    command_.status = CommandStatus::held_last_command;
    return command_;
  }
  if (player_) return follow(readings);
  update_shares(readings);
  terms_.update(readings.state);
  // Noise about zero must not look like a seat: it is cut off after the filter.
  const double on_feet = 1.0 - std::clamp(seat_part_, 0.0, 1.0);
  const Eigen::VectorXd& torque = static_torque_.compute(terms_, {on_feet * left_part_, on_feet * (1.0 - left_part_)});
  if (model_->description().actuation.kind == Actuation::Kind::servo) {
    command_.position = hold_ + torque.cwiseQuotient(command_.stiffness);
  } else {
    command_.torque = torque;
  }
  command_.status = CommandStatus::solved;
  return command_;
}

}  // namespace aplomb
