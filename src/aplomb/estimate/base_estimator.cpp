#include "aplomb/estimate/base_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/carrying_wrench.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr int kMostDelayTicks = 50;
// At the start the tilt is known from all accelerometers; this one's bias then follows from it.
constexpr double kBiasWidening = 10.0;    // [rad]
constexpr double kTurningTime = 1.0;      // [s] for which a body turns one way, in order of magnitude
constexpr double kRestVelocity = 1e-3;    // [m/s]
constexpr double kPlacedHeading = 1e-3;   // [rad] heading and position are defined by the placement
constexpr double kPlacedPosition = 1e-3;  // [m]

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

/// Turn about the vertical that remains when the tilt is taken away.
double heading_of(const Eigen::Quaterniond& R) { return 2.0 * std::atan2(R.z(), R.w()); }

}  // namespace

BaseEstimator::BaseEstimator(const RobotModel& robot, const Settings& settings, const RobotState& placed)
    : robot_(&robot),
      settings_(settings),
      kinematics_(robot),
      T_base_imu_(imu_placement(robot)),
      filter_(static_cast<int>(std::ranges::count_if(robot.description().soles, [](const auto& it) { return !!it; })),
              settings.imu),
      lag_ticks_(std::max(ticks_of(settings.imu_delay_s, settings.period_s),
                          ticks_of(settings.encoder_delay_s, settings.period_s))),
      imu_delay_(lag_ticks_ - ticks_of(settings.imu_delay_s, settings.period_s), {}),
      encoder_delay_(lag_ticks_ - ticks_of(settings.encoder_delay_s, settings.period_s), joint_positions(placed.q)),
      q_(robot.neutral_state().q),
      joint_position_(joint_positions(placed.q)),
      joint_velocity_(Eigen::VectorXd::Zero(robot.num_joints())) {
  foot_angular_velocity_.fill(Eigen::Vector3d::Zero());
  foot_specific_force_.fill({0.0, 0.0, kGravity});
  for (int side : {kLeft, kRight}) {
    const std::optional<Sole>& sole = robot.description().soles[side];
    if (!sole) continue;
    const LinkPlacement& placement =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    feet_.push_back({.side = side,
                     .body = placement.body,
                     .R_body_foot = placement.T_body_link.linear(),
                     .sole_in_body = placement.T_body_link * sole->centre(),
                     .half_length = 0.5 * std::hypot(sole->x_max - sole->x_min, sole->y_max - sole->y_min),
                     .inertia = transformed(placement.T_body_link.inverse(),
                                            robot.tree().bodies[static_cast<std::size_t>(placement.body)].inertia)});
  }
  q_.head<kBaseQ>() << 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  const Eigen::Quaterniond R_world_base = base_orientation(placed.q);
  placed_.R_world_imu = R_world_base * Eigen::Quaterniond(T_base_imu_.linear());
  placed_.position = placed.q.head<3>() + R_world_base * T_base_imu_.translation();
  now_ = placed_;
}

bool BaseEstimator::is_usable(const SensorReadings& readings, Sensor sensor, bool is_finite) {
  const bool is_good = is_finite && !readings.lost(sensor);
  is_missing_[static_cast<std::size_t>(sensor)] = !is_good;
  return is_good;
}

void BaseEstimator::read(const SensorReadings& readings) {
  const auto positions = joint_positions(readings.state.q);
  const auto rates = joint_velocities(readings.state.v);
  if (is_usable(readings, Sensor::joint_velocity, rates.allFinite())) joint_velocity_ = rates;
  has_encoders_ = is_usable(readings, Sensor::joint_position, positions.allFinite());
  if (has_encoders_) joint_position_ = positions;
  if (!has_encoders_) joint_position_ += settings_.period_s * joint_velocity_;
  if (is_usable(readings, Sensor::imu_angular_velocity, readings.imu_angular_velocity.allFinite())) {
    inertial_.angular_velocity = readings.imu_angular_velocity;
  }
  if (is_usable(readings, Sensor::imu_acceleration, readings.imu_acceleration.allFinite())) {
    inertial_.specific_force = readings.imu_acceleration;
  }
}

void BaseEstimator::read_feet(const SensorReadings& readings) {
  constexpr std::array kWrench = {Sensor::left_ankle_wrench, Sensor::right_ankle_wrench};
  constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
  constexpr std::array kTurn = {Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity};
  for (const Foot& foot : feet_) {
    const auto side = static_cast<std::size_t>(foot.side);
    if (is_usable(readings, kForce[side], readings.foot_acceleration[side].allFinite())) {
      foot_specific_force_[side] = readings.foot_acceleration[side];
    }
    if (is_usable(readings, kTurn[side], readings.foot_angular_velocity[side].allFinite())) {
      foot_angular_velocity_[side] = readings.foot_angular_velocity[side];
    }
    const Wrench& ankle = readings.ankle_wrench[side];
    if (!is_usable(readings, kWrench[side], ankle.force.allFinite() && ankle.moment.allFinite())) continue;
    // The foot's angular acceleration is left out: differentiated from a gyroscope it is mostly noise.
    const Wrench carrying = carrying_wrench(foot.inertia, foot_specific_force_[side], foot_angular_velocity_[side],
                                            Eigen::Vector3d::Zero());
    foot_wrench_[side].force = ankle.force + carrying.force;
    foot_wrench_[side].moment = ankle.moment + carrying.moment;
    const double load = foot_wrench_[side].force.z() / (robot_->mass() * kGravity);
    trust_[side] = smooth_step(load, settings_.unloaded_fraction, settings_.loaded_fraction);
  }
}

Eigen::Vector3d BaseEstimator::sole_in_imu(const Foot& foot) const {
  return T_base_imu_.inverse() * kinematics_.point(foot.body, foot.sole_in_body);
}

double BaseEstimator::contact_density(std::size_t index) const {
  const auto side = static_cast<std::size_t>(feet_[index].side);
  // Geometric between loose and firm, which are decades apart.
  const double load_density =
      settings_.loose_density * std::pow(settings_.firm_density / settings_.loose_density, trust_[side]);
  const double speed = foot_angular_velocity_[side].norm() * feet_[index].half_length;
  return std::hypot(load_density, speed * std::sqrt(2.0 * settings_.turning_time_s));
}

void BaseEstimator::update(const SensorReadings& readings) {
  read(readings);
  read_feet(readings);
  joint_positions(q_) = encoder_delay_.pass(joint_position_);
  const Inertial& inertial = imu_delay_.pass(inertial_);
  kinematics_.update(q_);
  if (!has_started_) {
    rest(inertial);
  } else {
    std::array<double, ContactFilter::kMaxContacts> density{};
    for (std::size_t i = 0; i < feet_.size(); ++i) density[i] = contact_density(i);
    // What a wrong mounting adds to the specific force looks like a bias at rest, and changes as the body turns.
    const double turning = (inertial.angular_velocity - filter_.state().gyroscope_bias).norm();
    filter_.set_accelerometer_bias_walk(std::hypot(
        settings_.imu.accelerometer_bias, kGravity * settings_.mounting_rad * turning * std::sqrt(kTurningTime)));
    filter_.propagate(inertial.angular_velocity, inertial.specific_force, settings_.period_s,
                      std::span(density).first(feet_.size()));
    if (has_encoders_) correct();
  }
  if (has_started_) predict_now();
}

void BaseEstimator::rest(const Inertial& inertial) {
  if (is_missing(Sensor::imu_acceleration) || is_missing(Sensor::imu_angular_velocity) || !has_encoders_) return;
  if (!(inertial.specific_force.norm() > 0.5 * kGravity)) return;  // the delay line is not yet filled
  rest_sum_.angular_velocity += inertial.angular_velocity;
  rest_sum_.specific_force += inertial.specific_force;
  constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
  for (Foot& foot : feet_) {
    const auto side = static_cast<std::size_t>(foot.side);
    if (is_missing(kForce[side])) continue;
    const Eigen::Matrix3d R_imu_foot =
        T_base_imu_.linear().transpose() * kinematics_.rotation(foot.body) * foot.R_body_foot;
    foot.rest_sum += R_imu_foot * foot_specific_force_[side];
  }
  if (++rest_ticks_ >= kRestTicks) start();
}

Eigen::Vector3d BaseEstimator::upwards_at_rest(int& num_units) const {
  Eigen::Vector3d sum = rest_sum_.specific_force.normalized();
  num_units = 1;
  for (const Foot& foot : feet_) {
    if (foot.rest_sum.isZero()) continue;
    sum += foot.rest_sum.normalized();
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
  sigma.segment<3>(filter_.gyroscope_bias_index()).setConstant(settings_.gyroscope_bias);
  // Wide: what the accelerometers know of the tilt is in its variance already.
  sigma.segment<3>(filter_.accelerometer_bias_index()).setConstant(kBiasWidening * settings_.accelerometer_bias);
  filter_.start(state, ContactFilter::Covariance(sigma.cwiseAbs2().asDiagonal()));
  const Eigen::Matrix3d noise = std::pow(settings_.kinematic_noise_m, 2) * Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < feet_.size(); ++i) filter_.place(static_cast<int>(i), sole_in_imu(feet_[i]), noise);
  has_started_ = true;
}

void BaseEstimator::correct() {
  const Eigen::Matrix3d noise = std::pow(settings_.kinematic_noise_m, 2) * Eigen::Matrix3d::Identity();
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const int contact = static_cast<int>(i);
    const Eigen::Vector3d measured = sole_in_imu(feet_[i]);
    const ContactFilter::Innovation innovation = filter_.innovation(contact, measured, noise);
    if (innovation.normalised_square > settings_.slip_bound) {
      ++num_slips_;
      filter_.place(contact, measured, noise);
    } else {
      filter_.correct(contact, innovation);
    }
  }
}

void BaseEstimator::predict_now() {
  // Readings are lag_ticks_ old: the last angular velocity and specific force continue until now.
  now_ = filter_.state();
  angular_velocity_now_ = inertial_.angular_velocity - now_.gyroscope_bias;
  const double gain =
      1.0 - std::exp(-2.0 * std::numbers::pi * settings_.angular_velocity_cutoff_hz * settings_.period_s);
  smooth_angular_velocity_ += gain * (angular_velocity_now_ - smooth_angular_velocity_);
  const double lag = lag_ticks_ * settings_.period_s;
  const Eigen::Vector3d acceleration =
      now_.R_world_imu * (inertial_.specific_force - now_.accelerometer_bias) - Eigen::Vector3d(0.0, 0.0, kGravity);
  now_.position += lag * now_.velocity + 0.5 * lag * lag * acceleration;
  now_.velocity += lag * acceleration;
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
  const bool is_lost = !filter_.is_finite();
  for (Sensor sensor :
       {Sensor::joint_position, Sensor::joint_velocity, Sensor::base_position, Sensor::base_orientation,
        Sensor::base_velocity, Sensor::base_angular_velocity, Sensor::left_foot_wrench, Sensor::right_foot_wrench}) {
    readings.is_lost[static_cast<std::size_t>(sensor)] = is_lost;
  }
}

double BaseEstimator::tilt_sigma() const { return std::sqrt(0.5 * filter_.covariance().diagonal().head<2>().sum()); }

}  // namespace aplomb
