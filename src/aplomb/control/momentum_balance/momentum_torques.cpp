#include "aplomb/control/momentum_balance/momentum_torques.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// Rate of approach to a joint's stop, and of one foot to the other, over ω: critically damped, 25/s at h = 0.77 m;
// tuned.
constexpr double kStopRate = 7.0;
constexpr double kFeetApart = 1.25;  // least distance of the sole centres, over the sole width

}  // namespace

MomentumRate rate_of(const RobotTerms& terms, std::span<const Contact> contacts, std::span<const ContactLoad> loads) {
  MomentumRate rate;
  rate.linear.z() = -terms.mass() * kGravity;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    rate.linear += loads[i].force;
    rate.angular += loads[i].moment + (contacts[i].point - terms.com()).cross(loads[i].force);
  }
  return rate;
}

MomentumTorques::MomentumTorques(const RobotModel& model, const RobotState& start,
                                 const std::vector<BalanceContacts::Site>& sites, double height,
                                 const Eigen::VectorXd& posture_weight, const Law& law)
    : model_(&model),
      sites_(sites),
      law_(law),
      stop_rate_(kStopRate * std::sqrt(kGravity / height)),
      accelerations_(model, sites, height, posture_weight, law.as_printed, law.has_upright),
      torque_limits_(model, sites),
      reactions_(model, sites),
      reaction_(Eigen::VectorXd::Zero(model.nv())),
      whole_(Eigen::VectorXd::Zero(model.nv())),
      torque_(Eigen::VectorXd::Zero(model.num_joints())),
      integrated_angle_(joint_positions(start.q)),
      integrated_rate_(Eigen::VectorXd::Zero(model.num_joints())),
      command_(model.num_joints()) {
  if (model.description().actuation.kind == Actuation::Kind::servo) {
    throw InvalidValue("momentum_balance commands torques, and the joints of robot " + model.name() +
                       " are position-controlled (actuation: servo)");
  }
  const DriveGains drives = DriveGains::for_robot(model, start, height);
  command_.stiffness = drives.stiffness;
  command_.damping = drives.damping;
  command_.position = integrated_angle_;
  posture_request_.desired = posture_request_.lowest = posture_request_.highest = integrated_rate_;
}

CommandStatus MomentumTorques::solve(const RobotTerms& terms, const RobotState& state,
                                     std::span<const Contact> contacts, const MomentumRate& desired,
                                     const BalanceReference& reference, const Eigen::VectorXd& posture,
                                     std::span<ContactLoad> loads,
                                     std::span<const JointAccelerations::Prescribed> feet) {
  feet_ = feet;
  within_contacts_ = admissible_ = rate_of(terms, contacts, loads);
  is_held_ = true;
  if (!accelerate(terms, state, contacts, reference, posture)) return CommandStatus::solve_failed;
  write_torque(terms, contacts, loads);
  CommandStatus status = CommandStatus::solved;
  if (!respect_limits(terms, contacts, desired, loads, status)) return CommandStatus::solve_failed;
  // Torques or accelerations that are cut do not belong to the loads any more: the contacts answer with other ones.
  if (torque_limits_.clamp(torque_) || accelerations_.is_clipped()) {
    admissible_ = reactions_.rate(terms, contacts, torque_);
  }
  is_held_ = false;
  command_.torque = torque_;
  integrate(state);
  return status;
}

Eigen::Vector3d MomentumTorques::keep_upright(const RobotTerms& terms, const RobotState& state,
                                              std::span<const Contact> contacts, const Eigen::Vector3d& linear,
                                              const Eigen::Vector3d& acceleration, const BalanceReference& reference,
                                              const Eigen::VectorXd& posture,
                                              std::span<const JointAccelerations::Prescribed> feet) {
  feet_ = feet;
  admissible_ = {.linear = linear};
  accelerations_.keep_upright(
      JointAccelerations::Upright{.acceleration = acceleration, .frees_angular_momentum = true});
  const bool is_found = accelerate(terms, state, contacts, reference, posture);
  accelerations_.keep_upright(JointAccelerations::Upright{.acceleration = acceleration});
  if (!is_found) return Eigen::Vector3d::Zero();
  whole_.head<6>() = accelerations_.base();
  whole_.tail(accelerations_.joints().size()) = accelerations_.joints();
  Eigen::Vector3d rate = terms.momentum_bias().tail<3>();
  rate.noalias() += terms.momentum_matrix().bottomRows<3>() * whole_;
  return rate;
}

bool MomentumTorques::accelerate(const RobotTerms& terms, const RobotState& state, std::span<const Contact> contacts,
                                 const BalanceReference& reference, const Eigen::VectorXd& posture) {
  const auto angle = joint_positions(state.q);
  const auto rate = joint_velocities(state.v);
  posture_request_.desired = posture;
  if (law_.as_printed) {
    posture_request_.lowest.setConstant(-std::numeric_limits<double>::infinity());
    posture_request_.highest.setConstant(std::numeric_limits<double>::infinity());
    return solve_accelerations(terms, contacts);
  }
  // A joint near its stop is slowed down so that it comes to rest there, critically damped. A reference that moves
  // keeps the joint's range by itself: what is damped is the joint's rate over the reference's.
  const double stop = stop_rate_;
  for (int i = 0; i < model_->num_joints(); ++i) {
    const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
    const double damped = reference.acceleration[i] - 2.0 * stop * (rate[i] - reference.rate[i]);
    posture_request_.lowest[i] = damped + stop * stop * std::min(joint.lower - angle[i], 0.0);
    posture_request_.highest[i] = damped + stop * stop * std::max(joint.upper - angle[i], 0.0);
  }
  keep_feet_apart(terms, contacts, stop);
  return solve_accelerations(terms, contacts);
}

void MomentumTorques::keep_feet_apart(const RobotTerms& terms, std::span<const Contact> contacts, double stop) {
  apart_ = {};
  if (sites_.size() < 2 || sites_[1].is_point) return;
  // The pose that a foot in the air should keep already keeps it apart; both at once would contradict each other.
  if (std::ranges::any_of(feet_, &JointAccelerations::Prescribed::is_fixed)) return;
  const auto& soles = model_->description().soles;
  const std::size_t stance = contacts[kLeft].availability >= contacts[kRight].availability ? kLeft : kRight;
  apart_.direction = contacts[stance].R_world_contact.col(1);
  const double width = 0.5 * (soles[kLeft]->y_max - soles[kLeft]->y_min + soles[kRight]->y_max - soles[kRight]->y_min);
  const Eigen::Vector3d speed =
      (terms.frame(sites_[kLeft].frame).velocity - terms.frame(sites_[kRight].frame).velocity).head<3>();
  const double distance = apart_.direction.dot(contacts[kLeft].centre - contacts[kRight].centre);
  apart_.lowest = stop * stop * (kFeetApart * width - distance) - 2.0 * stop * apart_.direction.dot(speed);
}

bool MomentumTorques::solve_accelerations(const RobotTerms& terms, std::span<const Contact> contacts) {
  return accelerations_.solve(terms, admissible_, contacts, apart_, posture_request_, feet_);
}

/// False when no finite accelerations are found. `status` becomes `solve_failed` when the search for loads that keep
/// the limits fails: the torques are then those of the present loads, and remain to be clamped.
bool MomentumTorques::respect_limits(const RobotTerms& terms, std::span<const Contact> contacts,
                                     const MomentumRate& desired, std::span<ContactLoad> loads, CommandStatus& status) {
  if (law_.as_printed) return true;
  if (torque_limits_.is_swinging_exceeded(torque_)) {
    torque_limits_.slow_down(terms, torque_, accelerations_.joints(), posture_request_);
    if (!solve_accelerations(terms, contacts)) return false;
    write_torque(terms, contacts, loads);
  }
  if (!torque_limits_.is_carrying_exceeded(torque_)) return true;
  const TorqueLimits::Outcome outcome =
      torque_limits_.solve(terms, contacts, accelerations_.sensitivity(), desired, torque_, loads);
  if (outcome == TorqueLimits::Outcome::failed) status = CommandStatus::solve_failed;
  if (outcome != TorqueLimits::Outcome::replaced) return true;
  admissible_ = rate_of(terms, contacts, loads);
  if (!solve_accelerations(terms, contacts)) return false;
  write_torque(terms, contacts, loads);
  return true;
}

void MomentumTorques::write_torque(const RobotTerms& terms, std::span<const Contact> contacts,
                                   std::span<const ContactLoad> loads) {
  reaction_.setZero();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const FrameTerms& frame = terms.frame(sites_[i].frame);
    const Eigen::Vector3d arm = contacts[i].point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << loads[i].force, loads[i].moment + arm.cross(loads[i].force);
    reaction_.noalias() += frame.jacobian.transpose() * wrench;
  }
  // The base's acceleration follows from the base rows, M_bb v̇_b = Σ J_bᵀ w − h_b − M_bj θ̈, so that their residual is
  // zero.
  const auto& M = terms.mass_matrix();
  const Eigen::VectorXd& h = terms.bias();
  const int num_joints = model_->num_joints();
  const Eigen::VectorXd& joints = accelerations_.joints();
  Vector6d side = reaction_.head<6>() - h.head<6>();
  side.noalias() -= M.topRightCorner(6, num_joints) * joints;
  const Eigen::Matrix<double, 6, 6> base_inertia = M.topLeftCorner<6, 6>();
  const Vector6d base = base_inertia.ldlt().solve(side);
  base_residual_ = side;
  base_residual_.noalias() -= base_inertia * base;
  torque_ = h.tail(num_joints) - reaction_.tail(num_joints);
  torque_.noalias() += M.bottomLeftCorner(num_joints, 6) * base;
  torque_.noalias() += M.bottomRightCorner(num_joints, num_joints) * joints;
}

void MomentumTorques::integrate(const RobotState& state) {
  const auto angle = joint_positions(state.q);
  const auto rate = joint_velocities(state.v);
  // (eq. 17) Both integrals leak towards the measured state, so that they cannot drift away.
  const double leak = law_.integral_leak;
  integrated_rate_ += kControlPeriod * (accelerations_.joints() - leak * (integrated_rate_ - rate));
  integrated_angle_ += kControlPeriod * (integrated_rate_ - leak * (integrated_angle_ - angle));
  command_.position = integrated_angle_;
  command_.velocity = integrated_rate_;
}

}  // namespace aplomb
