#include "aplomb/control/rise/plan_follower.hpp"

#include <algorithm>
#include <memory>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/centroidal_dynamics.hpp"
#include "aplomb/motion/dynamics/planned_dynamics.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

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

PlanFollower::PlanFollower(const RobotModel& model, const PlanReference& plan)
    : player_(with_wrenches(model, plan), plan.speed, plan.start_s),
      start_s_(plan.start_s),
      momentum_table_(
          centroidal_momentum(model, plan.plan->trajectory.q, plan.speed * plan.plan->trajectory.v).angular_momentum),
      rate_table_(rate_of(momentum_table_, plan.speed * plan.plan->trajectory.rate_hz)),
      sample_(&player_.at(0.0, 0.0)),
      chair_(model, *plan.plan, plan.start_s),
      reference_(joint_positions(sample_->q)) {}

void PlanFollower::update(const SensorReadings& readings) {
  if (readings.time_s >= start_s_) {
    plan_s_ = std::min(plan_s_ + player_.speed() * kControlPeriod, player_.duration_s());
  }
  update_motion(readings);
  update_momentum();
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
