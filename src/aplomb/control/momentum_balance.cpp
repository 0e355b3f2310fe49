#include "aplomb/control/momentum_balance.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;         // [s] between two ticks
constexpr double kLeak = 10.0;           // [1/s] of the integrals of eq. 17
constexpr double kStopRate = 7.0;        // of ω: how fast a joint may approach its stop, a foot the other
constexpr double kFeetApart = 1.25;      // soles' widths between the soles' centres, at least
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
      terms_(model, contacts_.frames()),
      loads_(contacts_.sites().size()),
      forces_(settings.mode, {}, static_cast<int>(loads_.size())),
      cops_(cop_mode(settings.mode), kCopRegularisation, static_cast<int>(loads_.size())),
      accelerations_(model, contacts_.sites(), height_, posture_weight(model)),
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
  want_momentum(readings.time_s);
  if (!distribute() || !accelerate(readings.state)) return command_;
  write_torque();
  if (!respect_torque_limits()) return command_;
  torque_limits_.clamp(command_.torque);
  integrate(readings.state);
  report();
  command_.status = CommandStatus::solved;
  return command_;
}

void MomentumBalance::want_momentum(double time_s) {
  tick_.time_s = time_s;
  const Eigen::Vector3d from_ground = terms_.com_velocity() - contacts_.standing_feet().velocity;
  const Eigen::Vector3d capture_point = terms_.com() + from_ground / omega_;
  tick_.capture_margin = contacts_.support_margin(capture_point.head<2>());
  tick_.is_capture_point_lost = tick_.capture_margin < -kCaptureMargin * height_;

  ComTarget target = settings_.com_reference.at(time_s, contacts_.standing_feet());
  if (settings_.com_reference.follows_feet()) {
    // Ground that accelerates by a moves the CoM with it when the CoP is a h/g behind the CoM. A part of that distance
    // is had by leaning into the acceleration, so that the CoP keeps its margin.
    const GroundMotion& ground = contacts_.ground_motion();
    target.position += kLean * height_ / kGravity * ground.acceleration;
    target.velocity += kLean * height_ / kGravity * ground.jerk;
    target.acceleration += (1.0 - kLean) * ground.acceleration;
  }
  // Nothing but a step could bring the CoM back: then go down, which lessens the fall, and only damp.
  const double rate = kLoweredShare * height_ * omega_ * kPeriod;
  lowered_ = std::clamp(lowered_ + (tick_.is_capture_point_lost ? rate : -0.2 * rate), 0.0, kLoweredShare * height_);
  target.position.z() -= lowered_;
  Eigen::Vector3d stiffness = gains_.com_stiffness;
  if (tick_.is_capture_point_lost) stiffness.head<2>().setZero();

  // (Lee & Goswami 2010, eq. 3, 4) and, unlike the paper, the reference's acceleration.
  tick_.wanted.linear =
      terms_.mass() * (target.acceleration + gains_.com_damping.cwiseProduct(target.velocity - terms_.com_velocity()) +
                       stiffness.cwiseProduct(target.position - terms_.com()));
  tick_.wanted.angular = gains_.angular_damping * (angular_momentum_reference_ - terms_.momentum().tail<3>());
}

MomentumRate MomentumBalance::rate_of_loads() const {
  MomentumRate rate{.linear = Eigen::Vector3d(0.0, 0.0, -terms_.mass() * kGravity)};
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    rate.linear += loads_[i].force;
    rate.angular += loads_[i].moment + (contacts_.contacts()[i].point - terms_.com()).cross(loads_[i].force);
  }
  return rate;
}

bool MomentumBalance::distribute() {
  const double weight = terms_.mass() * kGravity;
  const auto contacts = contacts_.contacts();
  if (forces_.solve(contacts, terms_.com(), weight, tick_.wanted, loads_) != SolveStatus::solved) return false;
  if (cops_.solve(contacts, terms_.com(), tick_.wanted.angular, loads_) != SolveStatus::solved) return false;
  tick_.pulls = tick_.wanted.linear.z() + weight < 0.0;
  tick_.within_contacts = tick_.admitted = rate_of_loads();
  return true;
}

bool MomentumBalance::accelerate(const RobotState& state) {
  const auto angle = state.q.tail(model_->num_joints());
  const auto rate = state.v.tail(model_->num_joints());
  posture_request_.wanted = gains_.posture_stiffness * (posture_ - angle) - gains_.posture_damping * rate;
  // What goes to its stop is slowed down so that it would come to rest there, critically damped.
  const double stop = kStopRate * omega_;
  for (int i = 0; i < model_->num_joints(); ++i) {
    const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
    posture_request_.lowest[i] = stop * stop * std::min(joint.lower - angle[i], 0.0) - 2.0 * stop * rate[i];
    posture_request_.highest[i] = stop * stop * std::max(joint.upper - angle[i], 0.0) - 2.0 * stop * rate[i];
  }
  apart_ = {};
  const auto& sites = contacts_.sites();
  if (sites.size() >= 2 && !sites[1].is_hand) {
    const auto contacts = contacts_.contacts();
    const auto& soles = model_->description().soles;
    const std::size_t stance = contacts[kLeft].availability >= contacts[kRight].availability ? kLeft : kRight;
    apart_.direction = contacts[stance].R_world_ground.col(1);
    const double width =
        0.5 * (soles[kLeft]->y_max - soles[kLeft]->y_min + soles[kRight]->y_max - soles[kRight]->y_min);
    const Eigen::Vector3d speed =
        (terms_.frame(sites[kLeft].frame).velocity - terms_.frame(sites[kRight].frame).velocity).head<3>();
    const double distance = apart_.direction.dot(contacts[kLeft].centre - contacts[kRight].centre);
    apart_.lowest = stop * stop * (kFeetApart * width - distance) - 2.0 * stop * apart_.direction.dot(speed);
  }
  return solve_accelerations();
}

bool MomentumBalance::solve_accelerations() {
  return accelerations_.solve(terms_, tick_.admitted, contacts_.contacts(), apart_, posture_request_);
}

bool MomentumBalance::respect_torque_limits() {
  if (torque_limits_.is_swinging_exceeded(command_.torque)) {
    torque_limits_.slow_down(terms_, command_.torque, accelerations_.joints(), posture_request_);
    if (!solve_accelerations()) return false;
    write_torque();
  }
  if (!torque_limits_.is_carrying_exceeded(command_.torque)) return true;
  const SolveStatus status = torque_limits_.solve(terms_, contacts_.contacts(), accelerations_.sensitivity(),
                                                  tick_.wanted, command_.torque, loads_);
  if (status != SolveStatus::solved) return true;  // `clamp` then cuts what is too much
  tick_.admitted = rate_of_loads();
  if (!solve_accelerations()) return false;
  write_torque();
  return true;
}

void MomentumBalance::write_torque() {
  reaction_.setZero();
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const FrameTerms& frame = terms_.frame(contacts_.sites()[i].frame);
    const Eigen::Vector3d arm = contacts_.contacts()[i].point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << loads_[i].force, loads_[i].moment + arm.cross(loads_[i].force);
    reaction_.noalias() += frame.jacobian.transpose() * wrench;
  }
  // The base rows give the base's acceleration, M_bb v̇_b = Σ J_bᵀ w − h_b − M_bj θ̈: then nothing is left for it to
  // push.
  const auto& M = terms_.mass_matrix();
  const Eigen::VectorXd& h = terms_.bias();
  const int num_joints = model_->num_joints();
  const Eigen::VectorXd& joints = accelerations_.joints();
  Vector6d side = reaction_.head<6>() - h.head<6>();
  side.noalias() -= M.topRightCorner(6, num_joints) * joints;
  const Eigen::Matrix<double, 6, 6> base_inertia = M.topLeftCorner<6, 6>();
  const Vector6d base = base_inertia.ldlt().solve(side);
  base_residual_ = side;
  base_residual_.noalias() -= base_inertia * base;
  command_.torque = h.tail(num_joints) - reaction_.tail(num_joints);
  command_.torque.noalias() += M.bottomLeftCorner(num_joints, 6) * base;
  command_.torque.noalias() += M.bottomRightCorner(num_joints, num_joints) * joints;
}

void MomentumBalance::integrate(const RobotState& state) {
  const auto angle = state.q.tail(model_->num_joints());
  const auto rate = state.v.tail(model_->num_joints());
  // (eq. 17) Both integrals leak towards what is measured, so that they cannot drift away.
  integrated_rate_ += kPeriod * (accelerations_.joints() - kLeak * (integrated_rate_ - rate));
  integrated_angle_ += kPeriod * (integrated_rate_ - kLeak * (integrated_angle_ - angle));
  command_.position = integrated_angle_;
  command_.velocity = integrated_rate_;
}

void MomentumBalance::report() {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const BalanceContacts::Site& site = contacts_.sites()[i];
    if (site.is_hand) continue;
    const Contact& contact = contacts_.contacts()[i];
    const Sole& sole = *model_->description().soles[site.side];
    const bool is_loaded = contact.R_world_ground.col(2).dot(loads_[i].force) > 0.0;
    tick_.cop[site.side] = is_loaded ? Eigen::Vector2d(sole.centre().head<2>() + loads_[i].cop)
                                     : Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    tick_.availability[site.side] = contact.availability;
  }
  report_.add(tick_);
}

}  // namespace aplomb
