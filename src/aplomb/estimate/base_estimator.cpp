#include "aplomb/estimate/base_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/carrying_wrench.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr int kMostDelayTicks = 50;
// At the start the tilt is known from all accelerometers; this one's bias then follows from it.
constexpr double kBiasWidening = 10.0;    // [rad]
constexpr double kTurningTime = 1.0;      // [s] for which a body turns one way, in order of magnitude
constexpr double kRestVelocity = 1e-3;    // [m/s]
constexpr double kRestTurning = 1e-3;     // [rad/s]
constexpr double kPlacedHeading = 1e-3;   // [rad] heading and position are defined by the placement
constexpr double kPlacedPosition = 1e-3;  // [m]
// Load of a hand and of the seat, over the weight, from which on they are trusted at all, and fully. That of the seat
// is a small difference of large forces while the body accelerates.
constexpr double kHandLoads[] = {0.01, 0.05}, kSeatLoads[] = {0.1, 0.4};
constexpr double kSeatCutoff = 10.0;  // [Hz] of the estimated force of the seat
// What moves so fast is seen by sensors that are not frozen.
constexpr double kJointMotion = 0.1;          // [rad/s] of a joint
constexpr double kTurning = 0.05;             // [rad/s] of the pelvis against a foot, above the noise of gyroscopes
constexpr double kUnknownAcceleration = 0.3;  // [m/s²/√Hz] of a pelvis without accelerometer: 1 m/s² for 0.1 s
constexpr double kSlipSpeed = 0.5;            // [m/s] of a foot that begins to slip, in order of magnitude
constexpr double kRestTime = 2.0;             // [s] in which a foot at rest learns the error of its accelerometer
constexpr double kMovingTimes = 3.0;  // a foot that shows this many times what one at rest may show surely moves

int ticks_of(double delay_s, double period_s) {
  const double ticks = std::round(delay_s / period_s);
  if (!(ticks >= 0.0 && ticks <= kMostDelayTicks)) {
    throw InvalidValue(
        fmt::format("the base estimate compensates sensor delays of 0 to {} readings, not {:.4g} s; lower "
                    "delay_s of the IMU or of joint_position",
                    kMostDelayTicks, delay_s));
  }
  return static_cast<int>(ticks);
}

Eigen::Isometry3d imu_placement(const RobotModel& robot) {
  const std::string& pelvis = robot.description().roles.pelvis;
  if (pelvis.empty()) return Eigen::Isometry3d::Identity();
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(pelvis))];
  if (placement.body != 0) {
    throw InvalidValue(
        fmt::format("the base estimate needs an IMU that is fixed to the base, and joints are between "
                    "the base and the pelvis '{}' of {}; make the pelvis the URDF's root",
                    pelvis, robot.name()));
  }
  return placement.T_body_link;
}

/// 0 below `low`, 1 above `high`, with a continuous slope.
double smooth_step(double value, double low, double high) {
  const double part = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return part * part * (3.0 - 2.0 * part);
}

/// Between two values that are decades apart.
double geometric(double from, double to, double part) { return from * std::pow(to / from, part); }

double low_pass_gain(double cutoff_hz, double period_s) {
  return 1.0 - std::exp(-2.0 * std::numbers::pi * cutoff_hz * period_s);
}

int num_soles(const RobotModel& robot) {
  return static_cast<int>(std::ranges::count_if(robot.description().soles, [](const auto& it) { return !!it; }));
}

int num_supports(const RobotModel& robot, const BaseEstimator::Settings& settings) {
  const auto hands = std::ranges::count_if(robot.description().roles.hand, [](const auto& it) { return !it.empty(); });
  return (settings.has_hands ? static_cast<int>(hands) : 0) + (settings.has_seat && limbs_if_any(robot) ? 1 : 0);
}

/// Turn about the vertical that remains when the tilt is taken away.
double heading_of(const Eigen::Quaterniond& R) { return 2.0 * std::atan2(R.z(), R.w()); }

}  // namespace

BaseEstimator::BaseEstimator(const RobotModel& robot, const Settings& settings, const RobotState& placed)
    : robot_(&robot),
      settings_(settings),
      kinematics_(robot),
      T_base_imu_(imu_placement(robot)),
      filter_(num_soles(robot) + num_supports(robot, settings), settings.imu, num_soles(robot)),
      lag_ticks_(std::max(ticks_of(settings.imu_delay_s, settings.period_s),
                          ticks_of(settings.encoder_delay_s, settings.period_s))),
      imu_delay_(lag_ticks_ - ticks_of(settings.imu_delay_s, settings.period_s), {}),
      encoder_delay_(lag_ticks_ - ticks_of(settings.encoder_delay_s, settings.period_s), joint_positions(placed.q)),
      q_(robot.neutral_state().q),
      joint_position_(joint_positions(placed.q)),
      joint_velocity_(Eigen::VectorXd::Zero(robot.num_joints())) {
  foot_angular_velocity_.fill(Eigen::Vector3d::Zero());
  foot_specific_force_.fill({0.0, 0.0, kGravity});
  hand_force_.fill(Eigen::Vector3d::Zero());
  for (int side : {kLeft, kRight}) {
    const std::optional<Sole>& sole = robot.description().soles[side];
    if (!sole) continue;
    const LinkPlacement& placement =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    feet_.push_back({.side = side,
                     .body = placement.body,
                     .T_body_foot = placement.T_body_link,
                     .inertia = transformed(placement.T_body_link.inverse(),
                                            robot.tree().bodies[static_cast<std::size_t>(placement.body)].inertia)});
  }
  add_supports();
  for (std::size_t i = 0; i < kSensorNames.size(); ++i) {
    const bool is_of_joints = static_cast<Sensor>(i) == Sensor::joint_position;
    const std::string_view name = kSensorNames[i];
    watches_.emplace_back(is_of_joints ? robot.num_joints() : name.ends_with("ankle_wrench") ? 6 : 3);
  }
  q_.head<kBaseQ>() << 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  const Eigen::Quaterniond R_world_base = base_orientation(placed.q);
  placed_.R_world_imu = R_world_base * Eigen::Quaterniond(T_base_imu_.linear());
  placed_.position = placed.q.head<3>() + R_world_base * T_base_imu_.translation();
  now_ = placed_;
}

void BaseEstimator::add_supports() {
  const RobotModel& robot = *robot_;
  for (int side : {kLeft, kRight}) {
    const std::string& hand = robot.description().roles.hand[static_cast<std::size_t>(side)];
    if (!settings_.has_hands || hand.empty()) continue;
    const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(hand))];
    supports_.push_back({.hand = side,
                         .body = placement.body,
                         .in_body = placement.T_body_link.translation(),
                         .R_body = placement.T_body_link.linear(),
                         .firm_density = settings_.hand_density});
  }
  if (!settings_.has_seat) return;
  const std::optional<Limbs> limbs = limbs_if_any(robot);
  if (!limbs) return;
  supports_.push_back({.body = limbs->pelvis, .in_body = limbs->hips, .firm_density = settings_.seat_density});
}

bool BaseEstimator::is_usable(const SensorReadings& readings, Sensor sensor,
                              const Eigen::Ref<const Eigen::VectorXd>& values, bool moves) {
  const bool is_lost = readings.lost(sensor) || !values.allFinite();
  // Rates are differentiated from the joints' positions, and watched with them.
  const bool is_watched = !is_lost && sensor != Sensor::joint_velocity;
  const bool is_frozen = is_watched && watches_[static_cast<std::size_t>(sensor)].update(values, moves);
  const bool is_good = !is_lost && !is_frozen;
  is_missing_[static_cast<std::size_t>(sensor)] = !is_good;
  return is_good;
}

bool BaseEstimator::joints_turn() const {
  const Eigen::Vector3d pelvis = T_base_imu_.linear() * (inertial_.angular_velocity - filter_.state().gyroscope_bias);
  return has_started_ && std::ranges::any_of(feet_, [&](const Foot& foot) {
           const Eigen::Vector3d turning = kinematics_.rotation(foot.body) * (foot.T_body_foot.linear() * foot.turning);
           return (pelvis - turning).norm() > kTurning;
         });
}

void BaseEstimator::read(const SensorReadings& readings) {
  const auto positions = joint_positions(readings.state.q);
  const auto rates = joint_velocities(readings.state.v);
  if (is_usable(readings, Sensor::joint_velocity, rates, false)) joint_velocity_ = rates;
  const bool moves = joint_velocity_.lpNorm<Eigen::Infinity>() > kJointMotion;
  has_encoders_ = is_usable(readings, Sensor::joint_position, positions, joints_turn());
  if (has_encoders_) joint_position_ = positions;
  if (!has_encoders_) joint_position_ += settings_.period_s * joint_velocity_;
  if (is_usable(readings, Sensor::imu_angular_velocity, readings.imu_angular_velocity, moves)) {
    inertial_.angular_velocity = readings.imu_angular_velocity;
  }
  if (is_usable(readings, Sensor::imu_acceleration, readings.imu_acceleration, moves)) {
    inertial_.specific_force = readings.imu_acceleration;
  } else if (has_started_) {
    // As if it did not accelerate; how much it may, update() adds to the uncertainty.
    const ContactFilter::State& state = filter_.state();
    inertial_.specific_force =
        state.R_world_imu.conjugate() * Eigen::Vector3d(0.0, 0.0, kGravity) + state.accelerometer_bias;
  }
}

void BaseEstimator::read_feet(const SensorReadings& readings) {
  constexpr std::array kWrench = {Sensor::left_ankle_wrench, Sensor::right_ankle_wrench};
  constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
  constexpr std::array kTurn = {Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity};
  for (const Foot& foot : feet_) {
    const auto side = static_cast<std::size_t>(foot.side);
    if (is_usable(readings, kForce[side], readings.foot_acceleration[side], false)) {
      foot_specific_force_[side] = readings.foot_acceleration[side];
    }
    if (is_usable(readings, kTurn[side], readings.foot_angular_velocity[side], false)) {
      foot_angular_velocity_[side] = readings.foot_angular_velocity[side];
    }
    const Wrench& ankle = readings.ankle_wrench[side];
    Vector6d values;
    values << ankle.force, ankle.moment;
    if (!is_usable(readings, kWrench[side], values, false)) continue;
    // The foot's angular acceleration is left out: differentiated from a gyroscope it is mostly noise.
    const Wrench carrying = carrying_wrench(foot.inertia, foot_specific_force_[side], foot_angular_velocity_[side],
                                            Eigen::Vector3d::Zero());
    foot_wrench_[side].force = ankle.force + carrying.force;
    foot_wrench_[side].moment = ankle.moment + carrying.moment;
    const double load = foot_wrench_[side].force.z() / (robot_->mass() * kGravity);
    trust_[side] = smooth_step(load, settings_.unloaded_fraction, settings_.loaded_fraction);
  }
}

void BaseEstimator::read_hands(const SensorReadings& readings) {
  constexpr std::array kWrench = {Sensor::left_hand_wrench, Sensor::right_hand_wrench};
  const double weight = robot_->mass() * kGravity;
  for (Support& support : supports_) {
    if (!support.hand) continue;
    const auto side = static_cast<std::size_t>(*support.hand);
    const Eigen::Vector3d& force = readings.hand_wrench[side].force;
    if (is_usable(readings, kWrench[side], force, false)) hand_force_[side] = force;
    support.trust =
        is_missing(kWrench[side]) ? 0.0 : smooth_step(hand_force_[side].norm() / weight, kHandLoads[0], kHandLoads[1]);
  }
}

void BaseEstimator::watch_seat(const Inertial& inertial) {
  const double weight = robot_->mass() * kGravity;
  const Eigen::Matrix3d R_world_base =
      filter_.state().R_world_imu.toRotationMatrix() * T_base_imu_.linear().transpose();
  const Eigen::Vector3d specific_force =
      filter_.state().R_world_imu * (inertial.specific_force - filter_.state().accelerometer_bias);
  double force = robot_->mass() * specific_force.z();
  for (const Foot& foot : feet_) {
    const Eigen::Matrix3d R = R_world_base * kinematics_.rotation(foot.body) * foot.T_body_foot.linear();
    force -= R.row(2).dot(foot_wrench_[static_cast<std::size_t>(foot.side)].force);
  }
  for (Support& support : supports_) {
    if (support.hand) {
      const Eigen::Matrix3d R = R_world_base * kinematics_.rotation(support.body) * support.R_body;
      force -= R.row(2).dot(hand_force_[static_cast<std::size_t>(*support.hand)]);
      continue;
    }
    seat_force_ += low_pass_gain(kSeatCutoff, settings_.period_s) * (force - seat_force_);
    support.trust = smooth_step(seat_force_ / weight, kSeatLoads[0], kSeatLoads[1]);
  }
}

Eigen::Vector3d BaseEstimator::support_in_imu(const Support& support) const {
  return T_base_imu_.inverse() * kinematics_.point(support.body, support.in_body);
}

Eigen::Vector3d BaseEstimator::foot_in_imu(const Foot& foot) const {
  return T_base_imu_.inverse() * kinematics_.point(foot.body, foot.T_body_foot.translation());
}

Eigen::Matrix3d BaseEstimator::R_imu_foot(const Foot& foot) const {
  return T_base_imu_.linear().transpose() * kinematics_.rotation(foot.body) * foot.T_body_foot.linear();
}

double BaseEstimator::contact_density(std::size_t index) const {
  return geometric(settings_.loose_density, settings_.firm_density,
                   trust_[static_cast<std::size_t>(feet_[index].side)]);
}

void BaseEstimator::watch_motion(Foot& foot) {
  constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
  constexpr std::array kTurn = {Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity};
  const auto side = static_cast<std::size_t>(foot.side);
  const double gain = low_pass_gain(settings_.motion_cutoff_hz, settings_.period_s);
  const Eigen::Matrix3d R_world_foot = filter_.state().R_world_imu.toRotationMatrix() * R_imu_foot(foot);
  foot.shown *= 1.0 - settings_.period_s / settings_.motion_time_s;
  if (!is_missing(kForce[side])) {
    const Eigen::Vector3d acceleration =
        R_world_foot * (foot_specific_force_[side] - foot.force_bias) - Eigen::Vector3d(0.0, 0.0, kGravity);
    foot.acceleration += gain * (acceleration - foot.acceleration);
    foot.shown = std::max(foot.shown, foot.acceleration.norm() / settings_.still_acceleration);
  }
  if (!is_missing(kTurn[side])) {
    foot.turning += gain * (foot_angular_velocity_[side] - foot.turning_bias - foot.turning);
    foot.shown = std::max(foot.shown, foot.turning.norm() / settings_.still_turning);
  }
  motion_[side] = smooth_step(foot.shown, 1.0, kMovingTimes);
  // What a foot at rest seems to accelerate by is an error of its accelerometer, or of the tilt.
  const double learnt = settings_.period_s / kRestTime * (1.0 - motion_[side]);
  foot.force_bias += learnt * (R_world_foot.transpose() * foot.acceleration);
}

BaseEstimator::FootMotionNoise BaseEstimator::motion_noise(const Foot& foot) const {
  const double moves = motion_[static_cast<std::size_t>(foot.side)];
  return {.speed = geometric(settings_.still.speed, settings_.moving.speed, moves),
          .acceleration = geometric(settings_.still.acceleration, settings_.moving.acceleration, moves)};
}

void BaseEstimator::update(const SensorReadings& readings) {
  read(readings);
  read_feet(readings);
  read_hands(readings);
  joint_positions(q_) = encoder_delay_.pass(joint_position_);
  const Inertial& inertial = imu_delay_.pass(inertial_);
  kinematics_.update(q_);
  if (!has_started_) {
    rest(inertial);
  } else {
    std::array<double, ContactFilter::kMaxContacts> density{};
    std::array<double, ContactFilter::kMaxMoving> velocity_density{};
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      watch_motion(feet_[i]);
      density[i] = contact_density(i);
      velocity_density[i] = motion_noise(feet_[i]).acceleration;
    }
    watch_seat(inertial);
    for (std::size_t i = 0; i < supports_.size(); ++i) {
      density[feet_.size() + i] = geometric(settings_.loose_density, supports_[i].firm_density, supports_[i].trust);
    }
    // What a wrong mounting adds to the specific force looks like a bias at rest, and changes as the body turns.
    const double turning = (inertial.angular_velocity - filter_.state().gyroscope_bias).norm();
    filter_.set_accelerometer_bias_walk(std::hypot(
        settings_.imu.accelerometer_bias, kGravity * settings_.mounting_rad * turning * std::sqrt(kTurningTime)));
    filter_.propagate(inertial.angular_velocity, inertial.specific_force, settings_.period_s,
                      std::span(density).first(feet_.size() + supports_.size()),
                      std::span(velocity_density).first(feet_.size()));
    if (is_missing(Sensor::imu_acceleration)) {
      filter_.loosen_velocity(kUnknownAcceleration * std::sqrt(settings_.period_s));
    }
    if (has_encoders_) correct();
    const double root_dt = std::sqrt(settings_.period_s);
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      filter_.correct_at_rest(static_cast<int>(i), motion_noise(feet_[i]).speed / root_dt);
    }
  }
  if (has_started_) predict_now();
}

void BaseEstimator::rest(const Inertial& inertial) {
  if (is_missing(Sensor::imu_acceleration) || is_missing(Sensor::imu_angular_velocity) || !has_encoders_) return;
  if (!(inertial.specific_force.norm() > 0.5 * kGravity)) return;  // the delay line is not yet filled
  rest_sum_.angular_velocity += inertial.angular_velocity;
  rest_sum_.specific_force += inertial.specific_force;
  constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
  constexpr std::array kTurn = {Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity};
  for (Foot& foot : feet_) {
    const auto side = static_cast<std::size_t>(foot.side);
    if (!is_missing(kTurn[side])) foot.rest_turning += foot_angular_velocity_[side];
    if (is_missing(kForce[side])) continue;
    foot.rest_force += foot_specific_force_[side];
    foot.R_rest_force += R_imu_foot(foot) * foot_specific_force_[side];
  }
  if (++rest_ticks_ >= kRestTicks) start();
}

Eigen::Vector3d BaseEstimator::upwards_at_rest(int& num_units) const {
  Eigen::Vector3d sum = rest_sum_.specific_force.normalized();
  num_units = 1;
  for (const Foot& foot : feet_) {
    if (foot.R_rest_force.isZero()) continue;
    sum += foot.R_rest_force.normalized();
    ++num_units;
  }
  return sum.normalized();
}

void BaseEstimator::start() {
  // The tilt that turns the mean specific force upwards, then the heading of the placement.
  int num_units = 0;
  const Eigen::Vector3d up = upwards_at_rest(num_units);
  const Eigen::Quaterniond tilt = turn_between(up, Eigen::Vector3d::UnitZ());
  const double turn = heading_of(placed_.R_world_imu * tilt.conjugate());
  ContactFilter::State state = placed_;
  state.R_world_imu = Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()) * tilt;
  state.gyroscope_bias = rest_sum_.angular_velocity / rest_ticks_;
  state.accelerometer_bias = rest_sum_.specific_force / rest_ticks_ - kGravity * up;
  const double tilt_prior =
      std::hypot(settings_.accelerometer_bias / kGravity, settings_.mounting_rad) / std::sqrt(num_units);
  const int size = filter_.error_size();
  ContactFilter::ErrorVector sigma(size);
  sigma.setConstant(kPlacedPosition);
  sigma.head<3>() << tilt_prior, tilt_prior, kPlacedHeading;
  sigma.segment<3>(3).setConstant(kRestVelocity);
  // The mean of the readings at rest leaves of the gyroscope's bias what its noise and a slight sway amount to.
  const double gyroscope_bias =
      std::hypot(settings_.imu.gyroscope / std::sqrt(rest_ticks_ * settings_.period_s), kRestTurning);
  sigma.segment<3>(filter_.gyroscope_bias_index()).setConstant(std::min(gyroscope_bias, settings_.gyroscope_bias));
  // Wide: what the accelerometers know of the tilt is in its variance already.
  sigma.segment<3>(filter_.accelerometer_bias_index()).setConstant(kBiasWidening * settings_.accelerometer_bias);
  for (int i = 0; i < filter_.num_moving(); ++i) {
    sigma.segment<3>(filter_.velocity_index(i)).setConstant(kRestVelocity);
  }
  filter_.start(state, ContactFilter::Covariance(sigma.cwiseAbs2().asDiagonal()));
  for (Foot& foot : feet_) {
    foot.turning_bias = foot.rest_turning / rest_ticks_;
    if (foot.rest_force.isZero()) continue;
    foot.force_bias = foot.rest_force / rest_ticks_ - kGravity * (R_imu_foot(foot).transpose() * up);
  }
  const Eigen::Matrix3d noise = std::pow(settings_.kinematic_noise_m, 2) * Eigen::Matrix3d::Identity();
  int contact = 0;
  for (const Foot& foot : feet_) filter_.place(contact++, foot_in_imu(foot), noise);
  for (const Support& support : supports_) filter_.place(contact++, support_in_imu(support), noise);
  has_started_ = true;
}

void BaseEstimator::correct() {
  int contact = 0;
  for (const Foot& foot : feet_) correct(contact++, foot_in_imu(foot));
  for (const Support& support : supports_) correct(contact++, support_in_imu(support));
}

void BaseEstimator::correct(int contact, const Eigen::Vector3d& measured) {
  const Eigen::Matrix3d noise = std::pow(settings_.kinematic_noise_m, 2) * Eigen::Matrix3d::Identity();
  const ContactFilter::Innovation innovation = filter_.innovation(contact, measured, noise);
  if (!(innovation.normalised_square > settings_.slip_bound)) {
    filter_.correct(contact, innovation);
    return;
  }
  ++num_slips_;
  filter_.place(contact, measured, noise);
  if (contact >= filter_.num_moving()) return;
  filter_.loosen(contact, kSlipSpeed);
  Foot& foot = feet_[static_cast<std::size_t>(contact)];
  foot.shown = std::max(foot.shown, kMovingTimes);
}

void BaseEstimator::predict_now() {
  // Readings are lag_ticks_ old: the last angular velocity and specific force continue until now.
  now_ = filter_.state();
  angular_velocity_now_ = inertial_.angular_velocity - now_.gyroscope_bias;
  const double gain = low_pass_gain(settings_.angular_velocity_cutoff_hz, settings_.period_s);
  smooth_angular_velocity_ += gain * (angular_velocity_now_ - smooth_angular_velocity_);
  const double lag = lag_ticks_ * settings_.period_s;
  const Eigen::Vector3d acceleration =
      now_.R_world_imu * (inertial_.specific_force - now_.accelerometer_bias) - Eigen::Vector3d(0.0, 0.0, kGravity);
  now_.position += lag * now_.velocity + 0.5 * lag * lag * acceleration;
  now_.velocity += lag * acceleration;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const double moves = motion_[static_cast<std::size_t>(feet_[i].side)];
    FootMotion& motion = foot_motion_[static_cast<std::size_t>(feet_[i].side)];
    motion.acceleration = moves * feet_[i].acceleration;
    now_.contact_velocity[i] += lag * motion.acceleration;
    motion.velocity = now_.contact_velocity[i];
  }
  now_.R_world_imu = (now_.R_world_imu * Eigen::Quaterniond(rotation_by(lag * angular_velocity_now_))).normalized();
}

void BaseEstimator::write(SensorReadings& readings) const {
  RobotState& state = readings.state;
  const Eigen::Quaterniond R_world_base = now_.R_world_imu * Eigen::Quaterniond(T_base_imu_.linear()).conjugate();
  const Eigen::Vector3d turn = T_base_imu_.linear() * smooth_angular_velocity_;  // in base axes
  state.q.head<3>() = now_.position - R_world_base * T_base_imu_.translation();
  state.q.segment<4>(3) = R_world_base.coeffs();
  state.v.head<3>() = R_world_base.conjugate() * now_.velocity - turn.cross(T_base_imu_.translation());
  state.v.segment<3>(3) = turn;
  joint_positions(state.q) = joint_position_ + settings_.encoder_delay_s * joint_velocity_;
  joint_velocities(state.v) = joint_velocity_;
  readings.foot_wrench = foot_wrench_;
  readings.foot_motion = foot_motion_;
  readings.has_foot_motion = true;
  const bool is_lost = !filter_.is_finite();
  for (Sensor sensor :
       {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position, Sensor::base_orientation,
        Sensor::base_velocity, Sensor::base_angular_velocity, Sensor::left_foot_wrench, Sensor::right_foot_wrench}) {
    readings.is_lost[static_cast<std::size_t>(sensor)] = is_lost;
  }
}

double BaseEstimator::tilt_sigma() const { return std::sqrt(0.5 * filter_.covariance().diagonal().head<2>().sum()); }

}  // namespace aplomb
