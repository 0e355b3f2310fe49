#include "aplomb/control/momentum_balance.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;         // [s] between two ticks
constexpr double kCaptureMargin = 0.05;  // of the CoM's height: beyond, only a step helps
constexpr double kLoweredShare = 0.15;   // of the CoM's height: how far the CoM goes down then
constexpr double kLean = 0.2;  // share of the distance a h/g that the CoM leans into the ground's acceleration
constexpr double kCopRegularisation = 0.01;  // ε of eq. 13

double standing_height(const RobotModel& model, const RobotState& start) {
  RobotState standing = start;
  model.stand_on_soles(standing);
  RobotTerms terms(model, {});
  terms.update(standing);
  return std::max(terms.com().z(), 1e-2);
}

BalanceContacts::Settings reckoned(BalanceContacts::Settings settings, ContactForces::Mode mode) {
  settings.is_reckoned_at_ankle = mode == ContactForces::Mode::weighted;
  return settings;
}

ContactCops::Mode cop_mode(ContactForces::Mode mode) {
  return mode == ContactForces::Mode::weighted ? ContactCops::Mode::weighted : ContactCops::Mode::lexicographic;
}

BalanceGains gains_for(const MomentumBalance::Settings& settings, double height) {
  BalanceGains gains = BalanceGains::for_height(height);
  gains.com_damping = settings.gain_scale * settings.com_damping.value_or(gains.com_damping);
  gains.com_stiffness = settings.gain_scale * settings.com_stiffness.value_or(gains.com_stiffness);
  gains.angular_damping = settings.gain_scale * settings.angular_damping.value_or(gains.angular_damping);
  return gains;
}

std::optional<PlanFollower> follower_of(const RobotModel& model, const PlanReference& request) {
  if (!request.plan) return std::nullopt;
  return PlanFollower(model, request);
}

std::vector<FrameId> frames_of(const BalanceContacts& contacts, const std::optional<PlanFollower>& follower) {
  std::vector<FrameId> frames = contacts.frames();
  if (!follower) return frames;
  const auto add = [&](FrameId frame) {
    if (std::ranges::find(frames, frame) == frames.end()) frames.push_back(frame);
  };
  add(follower->seat_frame());
  for (const PlanFollower::Hand& hand : follower->hands()) add(hand.frame);
  return frames;
}

bool has_state(const SensorReadings& readings) {
  for (Sensor sensor : {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position, Sensor::base_orientation,
                        Sensor::base_velocity, Sensor::base_angular_velocity}) {
    if (readings.lost(sensor)) return false;
  }
  return readings.state.q.allFinite() && readings.state.v.allFinite();
}

}  // namespace

MomentumBalance::MomentumBalance(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      settings_(settings),
      height_(standing_height(model, start)),
      omega_(std::sqrt(kGravity / height_)),
      gains_(gains_for(settings, height_)),
      contacts_(model, reckoned(settings.contacts, settings.mode)),
      follower_(follower_of(model, settings.plan)),
      terms_(model, frames_of(contacts_, follower_)),
      loads_(contacts_.sites().size()),
      forces_(settings.mode, {}, static_cast<int>(loads_.size())),
      cops_(cop_mode(settings.mode), kCopRegularisation, static_cast<int>(loads_.size())),
      accelerations_(model, contacts_.sites(), height_,
                     follower_ ? Eigen::VectorXd::Ones(model.num_joints()) : posture_weight(model)),
      torque_limits_(model, contacts_.sites()),
      posture_(start.q.tail(model.num_joints())),
      reaction_(Eigen::VectorXd::Zero(model.nv())),
      integrated_angle_(posture_),
      integrated_rate_(Eigen::VectorXd::Zero(model.num_joints())),
      command_(model.num_joints()) {
  if (contacts_.sites().empty() || contacts_.sites()[0].is_hand) {
    throw InvalidValue("momentum_balance: robot " + model.name() + " has no soles to stand on");
  }
  if (model.description().actuation.kind == Actuation::Kind::servo) {
    throw InvalidValue("momentum_balance commands torques, and the joints of robot " + model.name() +
                       " are position-controlled (actuation: servo)");
  }
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("momentum_balance: gain_scale must be positive");
  const DriveGains drives = DriveGains::for_robot(model, start, height_);
  command_.stiffness = drives.stiffness;
  command_.damping = drives.damping;
  command_.position = posture_;
  posture_request_.wanted = posture_request_.lowest = posture_request_.highest = integrated_rate_;
}

std::string_view MomentumBalance::fallback(Sensor sensor) const {
  switch (sensor) {
    case Sensor::left_foot_wrench:
    case Sensor::right_foot_wrench:
    case Sensor::left_hand_wrench:
    case Sensor::right_hand_wrench:
      return "counts on that contact as before";
    case Sensor::joint_position:
    case Sensor::joint_velocity:
    case Sensor::base_position:
    case Sensor::base_orientation:
    case Sensor::base_velocity:
    case Sensor::base_angular_velocity:
      return "holds the last command; the drives' springs and dampers go on";
    default:
      return "not needed: momentum_balance does not use this sensor";
  }
}

const Command& MomentumBalance::step(const SensorReadings& readings) {
  command_.status = CommandStatus::held_last_command;
  if (!has_state(readings)) return command_;
  terms_.update(readings.state);
  contacts_.update(terms_, readings, loads_);
  if (follower_) follower_->update(terms_, readings);
  want_momentum(readings.time_s);
  if (!distribute() || !accelerate(readings.state)) return command_;
  write_torque();
  if (!respect_torque_limits()) return command_;
  torque_limits_.clamp(command_.torque);
  integrate(readings.state);
  record_tick();
  command_.status = CommandStatus::solved;
  return command_;
}

ComTarget MomentumBalance::com_target(double time_s) const {
  if (follower_) {
    ComTarget planned = follower_->sample().com;
    planned.position += follower_->com_shift();
    return planned;
  }
  ComTarget target = settings_.com_reference.at(time_s, contacts_.standing_feet());
  if (settings_.com_reference.follows_feet()) {
    // Ground that accelerates by a moves the CoM with it when the CoP is a h/g behind the CoM. A part of that distance
    // is had by leaning into the acceleration, so that the CoP keeps its margin.
    const GroundMotion& ground = contacts_.ground_motion();
    target.position += kLean * height_ / kGravity * ground.acceleration;
    target.velocity += kLean * height_ / kGravity * ground.jerk;
    target.acceleration += (1.0 - kLean) * ground.acceleration;
  }
  return target;
}

void MomentumBalance::want_momentum(double time_s) {
  tick_.time_s = time_s;
  const Eigen::Vector3d from_ground = terms_.com_velocity() - contacts_.standing_feet().velocity;
  const Eigen::Vector3d capture_point = terms_.com() + from_ground / omega_;
  tick_.capture_margin = contacts_.support_margin(capture_point.head<2>());
  const bool is_on_seat = follower_ && follower_->seat_share() > 0.0;
  tick_.is_capture_point_lost = !is_on_seat && tick_.capture_margin < -kCaptureMargin * height_;

  ComTarget target = com_target(time_s);
  // Nothing but a step could bring the CoM back: then go down, which lessens the fall, and only damp.
  const double rate = kLoweredShare * height_ * omega_ * kPeriod;
  lowered_ = std::clamp(lowered_ + (tick_.is_capture_point_lost ? rate : -0.2 * rate), 0.0, kLoweredShare * height_);
  target.position.z() -= lowered_;
  Eigen::Vector3d stiffness = gains_.com_stiffness;
  if (tick_.is_capture_point_lost) stiffness.head<2>().setZero();
  if (follower_) stiffness.z() *= follower_->height_share();

  // (Lee & Goswami 2010, eq. 3, 4) and, unlike the paper, the reference's acceleration.
  tick_.wanted.linear =
      terms_.mass() * (target.acceleration + gains_.com_damping.cwiseProduct(target.velocity - terms_.com_velocity()) +
                       stiffness.cwiseProduct(target.position - terms_.com()));
  tick_.wanted.angular = gains_.angular_damping * (angular_momentum_reference_ - terms_.momentum().tail<3>());
  if (!follower_) return;
  tick_.wanted.angular += follower_->angular_momentum_rate() + gains_.angular_damping * follower_->angular_momentum();
  follower_->carry(tick_.wanted.linear + Eigen::Vector3d(0.0, 0.0, terms_.mass() * kGravity));
}

MomentumRate MomentumBalance::seat_rate() const {
  if (!follower_) return {};
  MomentumRate rate{follower_->seat_force(), (follower_->seat_point() - terms_.com()).cross(follower_->seat_force())};
  for (const PlanFollower::Hand& hand : follower_->hands()) {
    rate.linear += hand.force;
    rate.angular += (hand.point - terms_.com()).cross(hand.force);
  }
  return rate;
}

MomentumRate MomentumBalance::rate_of_loads() const {
  MomentumRate rate = seat_rate();
  rate.linear.z() -= terms_.mass() * kGravity;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    rate.linear += loads_[i].force;
    rate.angular += loads_[i].moment + (contacts_.contacts()[i].point - terms_.com()).cross(loads_[i].force);
  }
  return rate;
}

bool MomentumBalance::distribute() {
  const double weight = terms_.mass() * kGravity;
  const auto contacts = contacts_.contacts();
  const MomentumRate of_seat = seat_rate();
  const MomentumRate of_feet{tick_.wanted.linear - of_seat.linear, tick_.wanted.angular - of_seat.angular};
  if (forces_.solve(contacts, terms_.com(), weight, of_feet, loads_) != SolveStatus::solved) return false;
  if (cops_.solve(contacts, terms_.com(), of_feet.angular, loads_) != SolveStatus::solved) return false;
  tick_.pulls = tick_.wanted.linear.z() + weight < 0.0;
  tick_.within_contacts = tick_.admitted = rate_of_loads();
  return true;
}

}  // namespace aplomb
