#include "aplomb/control/contact/hand_contact.hpp"

#include <algorithm>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kNear = 5e-3;       // [m]: a hand that starts nearer to the wall counts as touching; tuned
constexpr double kLostSpeed = 2.5;   // over the seek speed: a hand faster into the wall has lost contact; tuned
constexpr double kTouchForce = 1.0;  // [N]: a larger measured force means contact; tuned
constexpr int kLostTicks = 2;  // after which a hand at the speed of a lost contact has lost it, without noise; tuned
constexpr int kStoppedTicks = 20;   // after which a stopped hand has found the wall: longer than a rebound; tuned
constexpr double kMostNoise = 3.0;  // standard deviations by which a tick counts as more than stopped
constexpr int kFrozenTicks = 20;    // after which a sensor that repeats one value, without noise, counts as lost
constexpr double kSeekBegin = 0.3;  // [s] in which a hand reaches the seek speed: six time constants 1 / kd
constexpr MotionGains kSeekGains;   // those of any motion task
constexpr double kLargestCorrection = 0.5;  // bound of the integral over the desired force, against wind-up; tuned

}  // namespace

HandContact::HandContact(const RobotModel& model, Side side, const Settings& settings)
    : model_(&model),
      side_(side),
      settings_(settings),
      frame_(model.frame(model.description().roles.hand[side])),
      R_world_wall_(turn_between(Eigen::Vector3d::UnitZ(), settings.normal).toRotationMatrix()),
      rows_(model.nv()) {}

ForceContact HandContact::make_contact() const {
  ForceContact contact(side_ == kLeft ? "left_hand" : "right_hand", settings_.force.has_tangents ? 3 : 1, model_->nv());
  contact.friction = settings_.friction;
  return contact;
}

std::optional<Eigen::Vector3d> HandContact::measured(const RobotTerms& terms, const SensorReadings& readings,
                                                     Fallbacks& fallbacks) {
  if (!settings_.has_feedback) return std::nullopt;
  const Sensor sensor = side_ == kLeft ? Sensor::left_hand_wrench : Sensor::right_hand_wrench;
  const Eigen::Vector3d& force = readings.hand_wrench[side_].force;
  const bool is_known = !readings.lost(sensor) && force.allFinite();
  if (is_known) {
    repeated_ticks_ = force == last_reading_ ? repeated_ticks_ + 1 : 0;
    last_reading_ = force;
  }
  if (!is_known || repeated_ticks_ >= kFrozenTicks) {
    fallbacks.take(sensor, "keeps the last correction of the force; contact is detected from the hand's motion");
    return std::nullopt;
  }
  return R_world_wall_.transpose() * (terms.frame(frame_).T_world_frame.linear() * force);
}

void HandContact::watch(double time_s, const std::optional<Eigen::Vector3d>& force) {
  const double into_wall = -rows_.velocity[2];
  motion_.observe(into_wall);
  // The threshold is halfway between the speeds that are to be told apart; so is the margin.
  const double half_lost = 0.5 * kLostSpeed * settings_.seek_speed, half_seek = 0.5 * settings_.seek_speed;
  if (!has_begun_) {
    has_begun_ = true;
    is_touching_ = position_.z() - settings_.normal.dot(settings_.wall_point) < kNear;
    anchor_ = position_;
    phase_since_s_ = time_s;
  } else if (is_touching_) {
    if (!motion_.has_changed(into_wall - half_lost, half_lost, kLostTicks * half_lost)) return;
    is_touching_ = false;
    phase_since_s_ = time_s;
    anchor_ = position_;
    correction_.setZero();
    motion_.restart();
  } else {
    // A rebound is faster than stopped, and must not count for more.
    const double slower = std::min(half_seek - into_wall, half_seek + kMostNoise * motion_.deviation());
    const bool is_stopped = motion_.has_changed(slower, half_seek, kStoppedTicks * half_seek);
    const bool has_stopped = is_stopped && time_s - phase_since_s_ > kSeekBegin;
    if (!has_stopped && !(force && force->z() > kTouchForce)) return;
    is_touching_ = true;
    phase_since_s_ = time_s;
    motion_.restart();
  }
}

void HandContact::correct(const std::optional<Eigen::Vector3d>& force, ForceContact& contact) {
  if (!force) {
    if (!settings_.has_feedback) return;
  } else if (is_touching_ && !is_clamped_) {
    // The exerted force differs from the commanded one by model errors, which change slowly: an integral removes them.
    const Eigen::Vector3d error = Eigen::Vector3d(0.0, 0.0, wanted_) - *force;
    const double most = kLargestCorrection * std::abs(wanted_);
    correction_ = (correction_ + kControlPeriod * settings_.force_gain * error).cwiseMax(-most).cwiseMin(most);
  }
  if (contact.num_rows() == 1)
    contact.force[0] += correction_.z();
  else
    contact.force += correction_;
}

void HandContact::update(const RobotTerms& terms, const SensorReadings& readings, ForceContact& contact,
                         Fallbacks& fallbacks) {
  const FrameTerms& hand = terms.frame(frame_);
  contact.point = hand.T_world_frame.translation();
  contact.R_world_contact = R_world_wall_;
  rows_.write(hand, contact.point, R_world_wall_);
  position_ = R_world_wall_.transpose() * hand.T_world_frame.translation();
  const std::optional<Eigen::Vector3d> force = measured(terms, readings, fallbacks);
  watch(readings.time_s, force);
  // After a new contact the force rises as at the start. The command of this tick takes effect at its end.
  const double late = std::max(0.0, phase_since_s_ - settings_.force.start_s);
  const double desired = settings_.force.at(readings.time_s + kControlPeriod - late);
  wanted_ = is_touching_ ? desired : 0.0;
  is_without_wall_ = !is_touching_ && desired > 0.0;
  contact.role = is_touching_ ? ContactRole::controlled : ContactRole::free;
  contact.force.setZero();
  contact.force[contact.normal()] = wanted_;
  correct(force, contact);
  const int first = contact.num_rows() == 1 ? 2 : 0;
  contact.jacobian = rows_.jacobian.middleRows(first, contact.num_rows());
  contact.acceleration = -rows_.bias.segment(first, contact.num_rows());
}

void HandContact::write_motion(const Eigen::VectorXd& v, Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b) {
  A.setZero();
  b.setZero();
  if (is_touching_) return;
  A = rows_.jacobian.topRows<3>();
  const Eigen::Vector3d velocity = rows_.jacobian.topRows<3>() * v;
  b.head<2>() = kSeekGains.kp * (anchor_ - position_).head<2>() - kSeekGains.kd * velocity.head<2>();
  b[2] = -kSeekGains.kd * (settings_.seek_speed + velocity[2]);
  b -= rows_.bias.head<3>();
}

}  // namespace aplomb
