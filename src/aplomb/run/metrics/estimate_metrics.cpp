#include "aplomb/run/metrics/estimate_metrics.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

/// The vector turned so that the heading of R is zero.
Eigen::Vector3d without_heading(const Eigen::Quaterniond& R, const Eigen::Vector3d& vector) {
  const double heading = 2.0 * std::atan2(R.z(), R.w());
  return Eigen::AngleAxisd(-heading, Eigen::Vector3d::UnitZ()) * vector;
}

}  // namespace

EstimateMetrics::EstimateMetrics(const RobotModel& robot)
    : robot_(&robot), torque_squares_(Eigen::VectorXd::Zero(robot.num_joints())) {}

void EstimateMetrics::add(const BaseEstimator& estimator, const SensorReadings& estimated, const Observation& now,
                          const RobotState& truth) {
  if (truth_) compare(estimator, estimated);
  keep(now, truth);
  if (last_torque_) torque_squares_ += (now.commanded_torque - *last_torque_).cwiseAbs2();
  last_torque_ = now.commanded_torque;
}

void EstimateMetrics::keep(const Observation& now, const RobotState& truth) {
  const std::optional<Truth> last = truth_;
  Truth& kept = truth_.emplace();
  kept.R_world_base = base_orientation(truth.q);
  kept.position = truth.q.head<3>();
  kept.velocity = kept.R_world_base * truth.v.head<3>();
  kept.angular_velocity = kept.R_world_base * truth.v.segment<3>(3);
  kept.is_loaded = now.is_loaded;
  for (std::size_t side : {0u, 1u}) {
    if (!robot_->description().soles[side]) continue;
    kept.foot[side] = now.T_world_foot[side].translation();
    if (last) kept.foot_velocity[side] = (kept.foot[side] - last->foot[side]) / Simulation::kControlPeriod;
  }
}

void EstimateMetrics::compare(const BaseEstimator& estimator, const SensorReadings& estimated) {
  ++num_ticks_;
  const RobotState& state = estimated.state;
  const Eigen::Quaterniond R = base_orientation(state.q);
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d up_estimated = R.conjugate() * up, up_true = truth_->R_world_base.conjugate() * up;
  tilt_error_ = std::atan2(up_estimated.cross(up_true).norm(), up_estimated.dot(up_true));
  tilt_max_ = std::max(tilt_max_, tilt_error_);
  tilt_squares_ += tilt_error_ * tilt_error_;

  const Eigen::Vector3d velocity_error =
      without_heading(R, R * state.v.head<3>()) - without_heading(truth_->R_world_base, truth_->velocity);
  velocity_error_ = velocity_error.norm();
  velocity_squares_ += velocity_error.squaredNorm();
  velocity_sum_ += velocity_error;

  compare_with_feet(estimator, estimated);
  last_offset_ = state.q.head<3>() - truth_->position;
  if (!first_offset_) first_offset_ = last_offset_;

  nees_ += normalised_square(estimator);
  for (int side : {kLeft, kRight}) {
    if (!robot_->description().soles[side]) continue;
    const bool is_loaded = estimated.foot_wrench[side].force.z() > 0.05 * robot_->mass() * kGravity;
    if (is_loaded != truth_->is_loaded[side]) contact_error_s_ += Simulation::kControlPeriod;
  }
}

void EstimateMetrics::compare_with_feet(const BaseEstimator& estimator, const SensorReadings& estimated) {
  const Eigen::Quaterniond R = base_orientation(estimated.state.q);
  const Eigen::Vector3d position = estimated.state.q.head<3>(), velocity = R * estimated.state.v.head<3>();
  Eigen::Vector3d from_feet = Eigen::Vector3d::Zero(), true_from_feet = Eigen::Vector3d::Zero();
  Eigen::Vector3d over_feet = Eigen::Vector3d::Zero(), true_over_feet = Eigen::Vector3d::Zero();
  std::size_t contact = 0;
  int num_loaded = 0;
  for (std::size_t side : {0u, 1u}) {
    if (!robot_->description().soles[side]) continue;
    from_feet += position - estimator.filter().state().contact[contact++];
    true_from_feet += truth_->position - truth_->foot[side];
    if (!truth_->is_loaded[side]) continue;
    ++num_loaded;
    over_feet += velocity - estimated.foot_motion[side].velocity;
    true_over_feet += truth_->velocity - truth_->foot_velocity[side];
  }
  position_squares_ += ((without_heading(R, from_feet) - without_heading(truth_->R_world_base, true_from_feet)) /
                        std::max<double>(static_cast<double>(contact), 1.0))
                           .squaredNorm();
  if (num_loaded == 0) return;
  relative_velocity_squares_ +=
      ((without_heading(R, over_feet) - without_heading(truth_->R_world_base, true_over_feet)) / num_loaded)
          .squaredNorm();
  ++num_loaded_ticks_;
}

double EstimateMetrics::normalised_square(const BaseEstimator& estimator) const {
  // Tilt and velocity in the filter's own error coordinates.
  const ContactFilter::State& now = estimator.imu_now();
  const Eigen::Isometry3d& T_base_imu = estimator.T_base_imu();
  const Eigen::Quaterniond R_true = truth_->R_world_base * Eigen::Quaterniond(T_base_imu.linear());
  const Eigen::Vector3d velocity_true =
      truth_->velocity + truth_->angular_velocity.cross(truth_->R_world_base * T_base_imu.translation());
  const Eigen::Quaterniond difference = now.R_world_imu * R_true.conjugate();
  Eigen::Matrix<double, 5, 1> error;
  error.head<2>() = rotation_vector(difference.toRotationMatrix()).head<2>();
  error.tail<3>() = now.velocity - difference * velocity_true;
  const ContactFilter::Covariance& all = estimator.filter().covariance();
  constexpr std::array kStates = {0, 1, 3, 4, 5};
  Eigen::Matrix<double, 5, 5> covariance;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      covariance(i, j) = all(kStates[static_cast<std::size_t>(i)], kStates[static_cast<std::size_t>(j)]);
    }
  }
  return error.dot(covariance.llt().solve(error)) / 5.0;
}

void EstimateMetrics::finish(Metrics& metrics) const {
  const auto ticks = static_cast<double>(std::max<std::int64_t>(num_ticks_, 1));
  const auto rms = [&](double squares) -> MetricValue {
    return num_ticks_ > 0 ? MetricValue(std::sqrt(squares / ticks)) : MetricValue{};
  };
  metrics.set("base_position_error_rms_m", rms(position_squares_));
  metrics.set("base_drift_m_per_s",
              first_offset_ ? MetricValue((last_offset_ - *first_offset_).norm() / (ticks * Simulation::kControlPeriod))
                            : MetricValue{});
  metrics.set("base_tilt_error_max_rad", tilt_max_);
  metrics.set("base_tilt_error_rms_rad", rms(tilt_squares_));
  metrics.set("base_velocity_error_rms_m_per_s", rms(velocity_squares_));
  metrics.set("base_velocity_error_mean_m_per_s",
              num_ticks_ > 0 ? MetricValue(velocity_sum_.norm() / ticks) : MetricValue{});
  metrics.set("base_velocity_to_feet_error_rms_m_per_s",
              num_loaded_ticks_ > 0
                  ? MetricValue(std::sqrt(relative_velocity_squares_ / static_cast<double>(num_loaded_ticks_)))
                  : MetricValue{});
  metrics.set("contact_detection_error_s", contact_error_s_);
  metrics.set("nees_mean", num_ticks_ > 0 ? MetricValue(nees_ / ticks) : MetricValue{});
  double worst = 0.0;
  for (int i = 0; i < torque_squares_.size(); ++i) {
    const double limit = robot_->joints()[static_cast<std::size_t>(i)].effort;
    if (limit > 0.0) worst = std::max(worst, std::sqrt(torque_squares_[i] / ticks) / limit);
  }
  metrics.set("torque_change_rms_ratio", worst);
}

}  // namespace aplomb
