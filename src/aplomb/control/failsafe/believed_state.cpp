#include "aplomb/control/failsafe/believed_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kRateCutoff = 50.0;     // [Hz] of differentiated positions
constexpr double kMoving = 1e-3;         // [rad/s], [m/s]
constexpr double kLoaded = 0.2;          // of the weight: a foot that may give the base
constexpr double kUnloaded = 0.05;       // of the weight: a foot that no longer does
constexpr double kAgreePosition = 0.01;  // [m], [rad] between a sensor and its substitute
constexpr double kAgreeVelocity = 0.2;   // [m/s], [rad/s]
constexpr double kDifference = 1e-4;     // [s]: step along the velocity, for the base's velocity on its foot

Eigen::Isometry3d base_of(const Eigen::VectorXd& q) {
  Eigen::Isometry3d T_world_base = Eigen::Isometry3d::Identity();
  T_world_base.linear() = base_orientation(q).normalized().toRotationMatrix();
  T_world_base.translation() = q.head<3>();
  return T_world_base;
}

void set_orientation(const Eigen::Matrix3d& R, Eigen::VectorXd& q) {
  const Eigen::Quaterniond last = base_orientation(q);
  Eigen::Quaterniond now(R);
  if (now.dot(last) < 0.0) now.coeffs() = -now.coeffs();
  q.segment<4>(3) = now.coeffs();
}

}  // namespace

BelievedState::BelievedState(const RobotModel& model, const RobotState& start, double period_s, double rate_lag_s)
    : period_s_(period_s),
      weight_(model.mass() * kGravity),
      rate_gain_(1.0 - std::exp(-2.0 * std::numbers::pi * kRateCutoff * period_s)),
      kinematics_(model),
      sensors_(model),
      joint_pair_(model.num_joints(), period_s, rate_lag_s),
      base_pair_(3, period_s, rate_lag_s, /*has_turned_axes=*/true),
      turn_pair_(3, period_s, rate_lag_s, /*has_turned_axes=*/true),
      last_q_(start.q),
      joint_step_(Eigen::VectorXd::Zero(model.num_joints())),
      joint_velocity_(joint_step_),
      scratch_q_(start.q),
      state_(start),
      before_(start) {
  repaired_.state = start;
  for (Side side : {kLeft, kRight}) {
    if (!model.description().soles[side]) continue;
    const FrameId frame = model.frame(model.description().roles.foot[side]);
    feet_[static_cast<std::size_t>(num_feet_++)] = {side, model.tree().links[static_cast<std::size_t>(frame)].body};
  }
}

bool BelievedState::is_estimated(Sensor sensor) const { return is_estimated_[static_cast<std::size_t>(sensor)]; }

void BelievedState::update(const SensorReadings& raw, const SensorReadings& readings) {
  for (Sensor sensor : kParts) {
    is_estimated_[static_cast<std::size_t>(sensor)] = raw.lost(sensor) && !readings.lost(sensor);
  }
  sensors_.update(raw, moves_);
  for (std::size_t i = 0; i < finding_.size(); ++i) finding_[i] = sensors_.finding(static_cast<Sensor>(i));
  watch_pairs(raw);
  before_ = state_;
  for (Sensor sensor : kParts) {
    part(sensor).was_believed = part(sensor).is_believed;
    judge(sensor, readings);
  }
  update_loads(readings);
  if (!needs_foot()) {
    planted_ = -1;
  } else {
    plant_foot();
  }
  is_known_ = true;
  is_substituted_ = !std::ranges::all_of(parts_, &Part::is_believed);
  is_drifting_ =
      !believes(Sensor::joint_position) || !believes(Sensor::base_position) || !believes(Sensor::base_orientation);
  believe_joints(readings);
  believe_base(readings);
  moves_ = state_.v.cwiseAbs().maxCoeff() > kMoving;
  repaired_ = readings;
  repaired_.state = state_;
  if (is_known_) {
    for (Sensor sensor : kParts) repaired_.is_lost[static_cast<std::size_t>(sensor)] = false;
  }
}

void BelievedState::watch_pairs(const SensorReadings& raw) {
  const RobotState& state = raw.state;
  const auto answer = [&](Sensor position, Sensor velocity) {
    const auto is_there = [&](Sensor sensor) {
      const SensorFinding finding = sensors_.finding(sensor);
      return !raw.lost(sensor) && finding != SensorFinding::not_finite && finding != SensorFinding::lost;
    };
    return has_last_ && is_there(position) && is_there(velocity);
  };
  const auto watch = [&](PairWatch& pair, Sensor position, Sensor velocity, const auto& step, const auto& rate) {
    if (!answer(position, velocity)) {
      pair.interrupt();
      return;
    }
    const PairWatch::Findings& found = pair.update(step, rate);
    const auto set = [&](Sensor sensor, bool is_frozen, bool has_jumped) {
      SensorFinding& finding = finding_[static_cast<std::size_t>(sensor)];
      if (finding != SensorFinding::good) return;
      finding = is_frozen ? SensorFinding::frozen : has_jumped ? SensorFinding::jumped : SensorFinding::good;
    };
    set(position, found.position_frozen, found.position_jumped);
    set(velocity, found.velocity_frozen, found.velocity_jumped);
  };
  joint_step_ = joint_positions(state.q) - joint_positions(last_q_);
  joint_velocity_ = joint_velocities(state.v);
  watch(joint_pair_, Sensor::joint_position, Sensor::joint_velocity, joint_step_, joint_velocity_);
  const Eigen::Matrix3d R_last = base_orientation(last_q_).toRotationMatrix();
  // In the base's axes, so that a velocity that repeats itself does so here.
  const Eigen::Vector3d moved = state.q.head<3>() - last_q_.head<3>();
  const Eigen::Vector3d base_velocity = state.v.head<3>();
  if (R_last.allFinite()) {
    const Eigen::Vector3d base_step = R_last.transpose() * moved;
    watch(base_pair_, Sensor::base_position, Sensor::base_velocity, base_step, base_velocity);
  } else {
    base_pair_.interrupt();
  }
  const bool has_turned = state.q.segment<4>(3) != last_q_.segment<4>(3);
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();
  if (has_turned && state.q.segment<4>(3).allFinite() && R_last.allFinite()) {
    turn = rotation_vector(R_last.transpose() * base_orientation(state.q).toRotationMatrix());
  }
  const Eigen::Vector3d angular_velocity = state.v.segment<3>(3);
  watch(turn_pair_, Sensor::base_orientation, Sensor::base_angular_velocity, turn, angular_velocity);
  last_q_ = state.q;
  has_last_ = true;
}

void BelievedState::judge(Sensor sensor, const SensorReadings& readings) {
  SensorFinding& finding = finding_[static_cast<std::size_t>(sensor)];
  if (is_estimated(sensor)) {
    // The estimator's output has no sensor of its own; what it rests on is named.
    const bool has_imu = sensors_.finding(Sensor::imu_acceleration) == SensorFinding::good &&
                         sensors_.finding(Sensor::imu_angular_velocity) == SensorFinding::good;
    const bool is_finite = readings.state.q.head<kBaseQ>().allFinite() && readings.state.v.head<kBaseV>().allFinite();
    finding = is_finite && has_imu ? SensorFinding::good : SensorFinding::lost;
  }
  Part& now = part(sensor);
  if (finding != SensorFinding::good) {
    now.is_believed = false;
    now.good_ticks = 0;
    now.failure = finding;
  } else if (!now.is_believed) {
    now.good_ticks = agrees(sensor, readings) ? now.good_ticks + 1 : 0;
    now.is_believed = now.good_ticks >= SensorWatch::kTrustedTicks;
    if (!now.is_believed) finding = now.failure;  // until then it is still out, and is reported so
  }
}

bool BelievedState::agrees(Sensor sensor, const SensorReadings& readings) const {
  const RobotState& state = readings.state;
  const auto within = [](double bound, const auto& difference) {
    return difference.size() == 0 || difference.cwiseAbs().maxCoeff() < bound;
  };
  switch (sensor) {
    case Sensor::joint_position:
      return within(kAgreePosition, joint_positions(state.q) - joint_positions(state_.q));
    case Sensor::joint_velocity:
      return within(kAgreeVelocity, joint_velocities(state.v) - joint_velocities(state_.v));
    case Sensor::base_position:
      return within(kAgreePosition, state.q.head<3>() - state_.q.head<3>());
    case Sensor::base_orientation:
      return base_orientation(state.q).angularDistance(base_orientation(state_.q)) < kAgreePosition;
    case Sensor::base_velocity:
      return within(kAgreeVelocity, state.v.head<3>() - state_.v.head<3>());
    default:
      return within(kAgreeVelocity, state.v.segment<3>(3) - state_.v.segment<3>(3));
  }
}

void BelievedState::update_loads(const SensorReadings& readings) {
  for (Side side : {kLeft, kRight}) {
    const Sensor sensor = side == kLeft ? Sensor::left_foot_wrench : Sensor::right_foot_wrench;
    const double force = readings.foot_wrench[side].force.z();
    const bool is_known = !readings.lost(sensor) && std::isfinite(force) && finding(sensor) == SensorFinding::good;
    load_[side] = is_known ? force / weight_ : std::numeric_limits<double>::quiet_NaN();
  }
}

void BelievedState::plant_foot() {
  const auto load_of = [&](int foot) { return load_[feet_[static_cast<std::size_t>(foot)].side]; };
  if (planted_ >= 0 && !(load_of(planted_) < kUnloaded)) return;
  int best = -1;
  for (int foot = 0; foot < num_feet_; ++foot) {
    // A load that is not measured is taken to be there.
    const double load = std::isnan(load_of(foot)) ? kLoaded : load_of(foot);
    if (load < kLoaded) continue;
    if (best < 0 || load > load_of(best)) best = foot;
  }
  planted_ = best;
  if (best < 0) return;
  const int body = feet_[static_cast<std::size_t>(best)].body;
  kinematics_.update(state_.q);
  T_world_planted_.linear() = kinematics_.rotation(body);
  T_world_planted_.translation() = kinematics_.origin(body);
}

void BelievedState::believe_joints(const SensorReadings& readings) {
  const bool has_position = believes(Sensor::joint_position), has_velocity = believes(Sensor::joint_velocity);
  auto q = joint_positions(state_.q);
  auto v = joint_velocities(state_.v);
  if (has_velocity) {
    v = joint_velocities(readings.state.v);
  } else if (has_position) {
    if (has_step(Sensor::joint_position)) {
      v += rate_gain_ * ((joint_positions(readings.state.q) - joint_positions(before_.q)) / period_s_ - v);
    }
  } else {
    v.setZero();
    is_known_ = false;
  }
  if (has_position) {
    q = joint_positions(readings.state.q);
  } else if (has_velocity) {
    q += 0.5 * period_s_ * (v + joint_velocities(before_.v));
  }
}

bool BelievedState::needs_foot() const {
  return (!believes(Sensor::base_velocity) && !believes(Sensor::base_position)) ||
         (!believes(Sensor::base_angular_velocity) && !believes(Sensor::base_orientation));
}

Eigen::Isometry3d BelievedState::base_on_planted_foot(const Eigen::VectorXd& q) {
  kinematics_.update(q);
  const int body = feet_[static_cast<std::size_t>(planted_)].body;
  Eigen::Isometry3d T_world_foot = Eigen::Isometry3d::Identity();
  T_world_foot.linear() = kinematics_.rotation(body);
  T_world_foot.translation() = kinematics_.origin(body);
  return T_world_planted_ * T_world_foot.inverse() * base_of(q);
}

void BelievedState::believe_base(const SensorReadings& readings) {
  const bool has_position = believes(Sensor::base_position), has_turn = believes(Sensor::base_orientation);
  const bool has_velocity = believes(Sensor::base_velocity), has_rate = believes(Sensor::base_angular_velocity);
  Eigen::Isometry3d T_world_base = base_of(before_.q);
  Eigen::Vector3d velocity = before_.v.head<3>(), rate = before_.v.segment<3>(3);
  const bool has_foot = needs_foot() && planted_ >= 0 && is_known_;
  if (has_foot) {
    scratch_q_ = state_.q;
    T_world_base = base_on_planted_foot(scratch_q_);
    joint_positions(scratch_q_) += kDifference * joint_velocities(state_.v);
    const Eigen::Isometry3d T_base_then = T_world_base.inverse() * base_on_planted_foot(scratch_q_);
    velocity = T_base_then.translation() / kDifference;
    rate = rotation_vector(T_base_then.linear()) / kDifference;
  } else if (needs_foot()) {
    is_known_ = false;
    velocity.setZero();
    rate.setZero();
  }
  const Eigen::Matrix3d R_last = base_orientation(before_.q).toRotationMatrix();
  if (has_velocity) {
    velocity = readings.state.v.head<3>();
  } else if (has_position) {
    velocity = before_.v.head<3>();
    if (has_step(Sensor::base_position)) {
      const Eigen::Vector3d moved = readings.state.q.head<3>() - before_.q.head<3>();
      velocity += rate_gain_ * (R_last.transpose() * moved / period_s_ - velocity);
    }
  }
  if (has_rate) {
    rate = readings.state.v.segment<3>(3);
  } else if (has_turn) {
    rate = before_.v.segment<3>(3);
    if (has_step(Sensor::base_orientation)) {
      const Eigen::Matrix3d R_now = base_orientation(readings.state.q).toRotationMatrix();
      rate += rate_gain_ * (rotation_vector(R_last.transpose() * R_now) / period_s_ - rate);
    }
  }

  if (has_turn) {
    state_.q.segment<4>(3) = readings.state.q.segment<4>(3);
  } else if (has_rate) {
    set_orientation(R_last * rotation_by(0.5 * period_s_ * (rate + before_.v.segment<3>(3))), state_.q);
  } else if (has_foot) {
    set_orientation(T_world_base.linear(), state_.q);
  }
  if (has_position) {
    state_.q.head<3>() = readings.state.q.head<3>();
  } else if (has_velocity) {
    const Eigen::Vector3d mean = 0.5 * (velocity + before_.v.head<3>());
    state_.q.head<3>() += period_s_ * (base_orientation(state_.q) * mean);
  } else if (has_foot) {
    state_.q.head<3>() = T_world_base.translation();
  }
  state_.v.head<3>() = velocity;
  state_.v.segment<3>(3) = rate;
}

}  // namespace aplomb
