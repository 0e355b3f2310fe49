#include "aplomb/control/rise/plan_follower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/centroidal_dynamics.hpp"
#include "aplomb/motion/dynamics/planned_dynamics.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kPaceFrequency = 13.0;  // [1/s] of a change of pace: its rate comes up within 20 ms and more; tuned
constexpr double kSamePace = 1e-6;       // difference of pace, and its rate [1/s], that is none

Eigen::Matrix3Xd rate_of(const Eigen::Matrix3Xd& values, double rate_hz) {
  Eigen::Matrix3Xd rate = Eigen::Matrix3Xd::Zero(3, values.cols());
  for (Eigen::Index i = 1; i + 1 < values.cols(); ++i) {
    rate.col(i) = 0.5 * rate_hz * (values.col(i + 1) - values.col(i - 1));
  }
  return rate;
}

/// The plan with the wrenches that the controller's own model needs for it at the speed at which it is played.
std::shared_ptr<const MotionPlan> with_wrenches(const RobotModel& model, const PlanReference& plan) {
  auto complete = std::make_shared<MotionPlan>(*plan.plan);
  PlannedDynamics dynamics = planned_dynamics(model, *plan.plan, plan.speed);
  complete->trajectory.wrenches = std::move(dynamics.wrenches);
  complete->trajectory.torque = std::move(dynamics.torque);
  return complete;
}

}  // namespace

PlanFollower::PlanFollower(const RobotModel& model, const PlanReference& plan, double omega)
    : player_(with_wrenches(model, plan), plan.speed, plan.start_s),
      start_s_(plan.start_s),
      momentum_table_(
          centroidal_momentum(model, plan.plan->trajectory.q, plan.speed * plan.plan->trajectory.v).angular_momentum),
      rate_table_(rate_of(momentum_table_, plan.speed * plan.plan->trajectory.rate_hz)),
      sample_(&player_.at(0.0, 0.0)),
      most_pace_rate_(omega),
      seat_height_(plan.plan->contacts.chair_height_m),
      chair_(model, *plan.plan, plan.start_s),
      reference_(joint_positions(sample_->q)) {
  find_phases();
}

void PlanFollower::update(const SensorReadings& readings) {
  advance(readings);
  update_motion(readings);
  update_momentum();
}

void PlanFollower::find_phases() {
  const MotionPlan& plan = player_.plan();
  const Trajectory& trajectory = plan.trajectory;
  double highest = 0.0;
  for (Eigen::Index i = 0; i < trajectory.num_samples(); ++i) {
    const bool is_seated = plan.contacts.is_active(ContactSite::seat, trajectory.time_s(i));
    const double time_s = static_cast<double>(i) / trajectory.rate_hz;
    if (phases_.empty() || phases_.back().is_seated != is_seated) {
      phases_.push_back({is_seated, time_s, time_s, time_s});
      highest = -std::numeric_limits<double>::infinity();
    }
    phases_.back().end_s = time_s + 1.0 / trajectory.rate_hz;
    if (trajectory.com(2, i) <= highest) continue;
    highest = trajectory.com(2, i);
    phases_.back().highest_s = time_s;
  }
}

void PlanFollower::turn_back() {
  if (goal_s_) return;
  // From the seat itself: back to how the robot sat when the phase began. Else into the phase before.
  const bool stays = phase().is_seated || phase_ == 0;
  const std::size_t goal = stays ? phase_ : phase_ - 1;
  goal_s_ = goal == 0 ? 0.0 : 0.5 * (phases_[goal].start_s + phases_[goal].end_s);
  if (stays) goal_s_ = std::min(*goal_s_, plan_s_);
}

void PlanFollower::advance(const SensorReadings& readings) {
  if (readings.time_s < start_s_) return;
  if (goal_s_ && plan_s_ <= *goal_s_) wanted_pace_ = 0.0;
  // A critically damped approach, whose rate is continuous: the CoM's acceleration does not jump.
  const double missing = wanted_pace_ - pace_;
  if (std::abs(missing) < kSamePace && std::abs(pace_rate_) < kSamePace) {
    pace_ = wanted_pace_;
    pace_rate_ = 0.0;
  }
  const double kick = kPaceFrequency * (kPaceFrequency * (wanted_pace_ - pace_) - 2.0 * pace_rate_);
  pace_rate_ = std::clamp(pace_rate_ + kControlPeriod * kick, -most_pace_rate_, most_pace_rate_);
  pace_ += kControlPeriod * pace_rate_;
  plan_s_ = std::clamp(plan_s_ + pace_ * player_.speed() * kControlPeriod, 0.0, player_.duration_s());
  while (phase_ + 1 < phases_.size() && plan_s_ >= phases_[phase_].end_s) ++phase_;
  while (phase_ > 0 && plan_s_ < phases_[phase_].start_s) --phase_;
}

bool PlanFollower::is_seat_ahead(double pace) const {
  const Phase* const next = pace < 0.0 ? phase_before() : phase_after();
  return next != nullptr && next->is_seated;
}

void PlanFollower::update_motion(const SensorReadings& readings) {
  sample_ = &player_.at(plan_s_, plan_s_ > 0.0 ? player_.speed() : 0.0);
  chair_.update(readings, plan_s_);
  const Eigen::Index num_joints = reference_.angle.size();
  reference_.com = sample_->com;
  // The plan's time goes on at the pace p: v = p v*, a = p² a* + ṗ v*.
  reference_.com.acceleration = pace_ * pace_ * sample_->com.acceleration + pace_rate_ * sample_->com.velocity;
  reference_.com.velocity = pace_ * sample_->com.velocity + chair_.com_rate();
  reference_.com.position += chair_.com();
  reference_.angle = joint_positions(sample_->q);
  reference_.angle += chair_.angle();
  reference_.rate = pace_ * joint_velocities(sample_->v) + chair_.rate();
  reference_.acceleration = pace_ * pace_ * sample_->a.tail(num_joints) + pace_rate_ * joint_velocities(sample_->v);
}

void PlanFollower::update_momentum() {
  const double at =
      std::clamp(plan_s_ * player_.plan().trajectory.rate_hz, 0.0, static_cast<double>(momentum_table_.cols() - 1));
  const auto i = std::min(static_cast<Eigen::Index>(at), momentum_table_.cols() - 2);
  const double u = at - static_cast<double>(i);
  const bool is_moving = plan_s_ > 0.0 && plan_s_ < player_.duration_s();
  const double moving = is_moving ? 1.0 : 0.0;
  const Eigen::Vector3d momentum = moving * ((1.0 - u) * momentum_table_.col(i) + u * momentum_table_.col(i + 1));
  const Eigen::Vector3d rate = moving * ((1.0 - u) * rate_table_.col(i) + u * rate_table_.col(i + 1));
  reference_.angular_momentum = pace_ * momentum;
  reference_.angular_momentum_rate = pace_ * pace_ * rate + pace_rate_ * momentum;
}

}  // namespace aplomb
