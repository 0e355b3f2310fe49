#include <memory>

#include "aplomb/estimate/base_estimator.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

/// An estimator of a standing Talos, and the readings of one tick.
struct StandingTalos {
  RobotModel robot = RobotModel::load("talos");
  RobotState state = robot.posture("half_sitting");
  BaseEstimator estimator{
      robot,
      {.imu = {.gyroscope = 1e-4, .accelerometer = 1e-3, .gyroscope_bias = 5e-6, .accelerometer_bias = 3e-5}},
      state};
  SensorReadings readings;

  StandingTalos() {
    readings.state = state;
    readings.imu_acceleration = {0.0, 0.0, kGravity};
    for (int side : {kLeft, kRight}) {
      readings.foot_acceleration[side] = {0.0, 0.0, kGravity};
      readings.ankle_wrench[side].force = {0.0, 0.0, 0.5 * robot.mass() * kGravity};
    }
    for (int i = 0; i <= BaseEstimator::kRestTicks; ++i) estimator.update(readings);
  }
};

}  // namespace

void add_estimates(std::vector<BenchCase>& cases) {
  const auto talos = std::make_shared<StandingTalos>();
  cases.push_back({"estimate_talos", [talos] {
                     talos->estimator.update(talos->readings);
                     talos->estimator.write(talos->readings);
                   }});
  // All five contact points: feet, hands, seat.
  const auto filter = std::make_shared<ContactFilter>(
      5, ContactFilter::Noise{
             .gyroscope = 1e-4, .accelerometer = 1e-3, .gyroscope_bias = 5e-6, .accelerometer_bias = 3e-5});
  filter->start({}, 1e-4 * ContactFilter::Covariance::Identity(filter->error_size(), filter->error_size()));
  cases.push_back({"contact_filter_5", [filter] {
                     constexpr std::array<double, 5> kDensity = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3};
                     const Eigen::Matrix3d noise = 1e-6 * Eigen::Matrix3d::Identity();
                     filter->propagate(Eigen::Vector3d::Zero(), {0.0, 0.0, kGravity}, 1e-3, kDensity);
                     for (int i = 0; i < 5; ++i) {
                       filter->correct(i, filter->innovation(i, Eigen::Vector3d::Zero(), noise));
                     }
                   }});
}

}  // namespace aplomb
