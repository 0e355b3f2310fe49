#include "aplomb/link/command_gate.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/controller.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

bool is_finite(const Command& command) {
  return command.torque.allFinite() && command.position.allFinite() && command.velocity.allFinite() &&
         command.stiffness.allFinite() && command.damping.allFinite();
}

void keep_finite(const Eigen::Ref<const Eigen::VectorXd>& measured, Eigen::VectorXd& kept) {
  for (Eigen::Index i = 0; i < kept.size(); ++i) {
    if (std::isfinite(measured[i])) kept[i] = measured[i];
  }
}

}  // namespace

CommandGate::CommandGate(const RobotModel& model, const Settings& settings)
    : model_(&model),
      settings_(settings),
      is_servo_(model.description().actuation.kind == Actuation::Kind::servo),
      damping_(JointPd(model, model.neutral_state(), {}).damping()),
      q_(Eigen::VectorXd::Zero(model.num_joints())),
      v_(Eigen::VectorXd::Zero(model.num_joints())),
      last_(Eigen::VectorXd::Zero(model.num_joints())),
      offered_(model.num_joints()),
      command_(model.num_joints()) {
  if (settings.watchdog_ticks < 1 || settings.watchdog_ticks > 20) {
    throw InvalidValue(
        "the watchdog of a link is 1 to 20 control ticks: a robot without a controller is damped within "
        "20 ms");
  }
  if (!(settings.torque_rate > 0.0)) throw InvalidValue("the torque rate of a link must be positive [1/s]");
}

void CommandGate::offer(std::uint64_t answers, const Command& command) {
  if (answers <= answered_ || answers > tick_ + 1 || !is_finite(command)) {
    ++counts_.refused;
    return;
  }
  answered_ = answers;
  offered_ = command;
  has_offer_ = true;
}

const Command& CommandGate::pass(std::uint64_t tick, const RobotState& state) {
  tick_ = tick;
  keep_finite(joint_positions(state.q), q_);
  keep_finite(joint_velocities(state.v), v_);
  const auto watchdog = static_cast<std::uint64_t>(settings_.watchdog_ticks);
  if (!is_damping() && (has_left_ || tick > answered_ + watchdog)) damped_since_ = tick;
  if (is_damping() || (!has_offer_ && !has_passed_)) {
    damp();
    return command_;
  }
  if (tick > answered_) ++counts_.late;
  command_ = offered_;
  if (is_servo_) {
    limit_positions();
  } else {
    limit_torques();
  }
  has_passed_ = true;
  return command_;
}

double CommandGate::torque_of(int joint) const {
  const double torque = command_.torque[joint] + command_.stiffness[joint] * (command_.position[joint] - q_[joint]) +
                        command_.damping[joint] * (command_.velocity[joint] - v_[joint]);
  const double effort = model_->joints()[static_cast<std::size_t>(joint)].effort;
  return effort > 0.0 ? std::clamp(torque, -effort, effort) : torque;
}

void CommandGate::limit_torques() {
  bool is_limited = false;
  for (int i = 0; i < model_->num_joints(); ++i) {
    const double effort = model_->joints()[static_cast<std::size_t>(i)].effort;
    const double most = settings_.torque_rate * effort * kControlPeriod;
    const double torque = torque_of(i);
    double allowed = torque;
    if (has_passed_ && effort > 0.0) {
      allowed = std::clamp(torque, last_[i] - most, last_[i] + most);
    }
    if (allowed != torque) {
      // The drive's spring and damper keep their targets; the torque that is fed forward makes up for the difference.
      command_.torque[i] = allowed - (command_.stiffness[i] * (command_.position[i] - q_[i]) +
                                      command_.damping[i] * (command_.velocity[i] - v_[i]));
      is_limited = true;
    }
    last_[i] = allowed;
  }
  if (is_limited) ++counts_.limited;
}

void CommandGate::limit_positions() {
  bool is_limited = false;
  for (int i = 0; i < model_->num_joints(); ++i) {
    const double speed = model_->joints()[static_cast<std::size_t>(i)].velocity;
    const double most = speed * kControlPeriod;
    const double wanted = command_.position[i];
    if (has_passed_ && speed > 0.0) {
      command_.position[i] = std::clamp(wanted, last_[i] - most, last_[i] + most);
    }
    is_limited = is_limited || command_.position[i] != wanted;
    last_[i] = command_.position[i];
  }
  if (is_limited) ++counts_.limited;
}

void CommandGate::damp() {
  command_.torque.setZero();
  command_.velocity.setZero();
  command_.stiffness.setZero();
  command_.position = q_;  // a position servo cannot be made soft: it is told to stay where it is
  command_.damping = damping_;
  command_.status = CommandStatus::solved;
  for (Eigen::Vector2d& cop : command_.foot_cop) cop.setConstant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace aplomb
