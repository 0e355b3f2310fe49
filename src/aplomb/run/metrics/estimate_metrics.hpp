#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>

#include "aplomb/core/result.hpp"
#include "aplomb/estimate/base_estimator.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Compares the estimate of the base with the simulator's truth, tick by tick (docs/metrics.md has the formulas).
class EstimateMetrics {
 public:
  explicit EstimateMetrics(const RobotModel& robot);

  /// `estimated` are the readings that the controller got at this tick; `truth` is the state one tick later, after the
  /// command: it is compared with the next estimate.
  void add(const BaseEstimator& estimator, const SensorReadings& estimated, const Observation& now,
           const RobotState& truth);
  void finish(Metrics& metrics) const;

  double tilt_error() const { return tilt_error_; }          ///< in the last tick [rad]
  double velocity_error() const { return velocity_error_; }  ///< in the last tick [m/s]

 private:
  struct Truth {
    Eigen::Quaterniond R_world_base = Eigen::Quaterniond::Identity();
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the base's origin, in world axes
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
    std::array<Eigen::Vector3d, 2> foot = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< origins [m]
    std::array<Eigen::Vector3d, 2> foot_velocity = foot;                                       ///< [m/s]
    std::array<bool, 2> is_loaded{};
  };
  void keep(const Observation& now, const RobotState& truth);
  void compare(const BaseEstimator& estimator, const SensorReadings& estimated);
  void compare_with_feet(const BaseEstimator& estimator, const SensorReadings& estimated);
  double normalised_square(const BaseEstimator& estimator) const;

  const RobotModel* robot_;
  std::optional<Truth> truth_;
  double tilt_error_ = 0.0, velocity_error_ = 0.0;
  double tilt_max_ = 0.0, tilt_squares_ = 0.0, position_squares_ = 0.0, velocity_squares_ = 0.0, nees_ = 0.0;
  double relative_velocity_squares_ = 0.0;
  std::int64_t num_loaded_ticks_ = 0;
  double contact_error_s_ = 0.0;
  std::optional<Eigen::Vector3d> first_offset_;
  Eigen::Vector3d last_offset_ = Eigen::Vector3d::Zero(), velocity_sum_ = Eigen::Vector3d::Zero();
  std::optional<Eigen::VectorXd> last_torque_;
  Eigen::VectorXd torque_squares_;
  std::int64_t num_ticks_ = 0;
};

}  // namespace aplomb
