#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/estimate/contact_filter.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb::test {

/// A body that sways above two contact points, and its measurements with exactly the noise that a ContactFilter
/// assumes.
class SimulatedStance {
 public:
  static constexpr double kDt = 5e-3;

  struct Step {
    Eigen::Vector3d angular_velocity, specific_force;
    std::array<Eigen::Vector3d, 2> contact;  ///< in the IMU's frame
  };

  /// `scale` multiplies initial errors and all noise.
  explicit SimulatedStance(std::uint64_t seed, double scale = 1.0) : random_(seed), scale_(scale) {
    truth_.position = {0.3, -0.2, 0.9};
    truth_.contact[0] = {0.3, 0.0, 0.0};
    truth_.contact[1] = {0.35, -0.4, 0.0};
    truth_.R_world_imu = Eigen::Quaterniond(rotation_by({0.05, 0.1, 0.7}));
    truth_.gyroscope_bias = 0.01 * normal3();
    truth_.accelerometer_bias = 0.05 * normal3();
  }

  ContactFilter::Noise noise() const {
    return {.gyroscope = 2e-3 * scale_,
            .accelerometer = 2e-2 * scale_,
            .gyroscope_bias = 1e-3 * scale_,
            .accelerometer_bias = 1e-2 * scale_};
  }
  double contact_density() const { return 2e-3 * scale_; }    ///< [m/√s]
  double measurement_noise() const { return 2e-3 * scale_; }  ///< [m]
  const ContactFilter::State& truth() const { return truth_; }

  /// A filter that starts with an error drawn from its covariance.
  ContactFilter filter() {
    Eigen::VectorXd sigma(21);
    sigma << 0.05, 0.05, 0.02, 0.1, 0.1, 0.1, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.01, 0.01, 0.01,
        0.05, 0.05, 0.05;
    ContactFilter::ErrorVector error(21);
    for (int i = 0; i < 21; ++i) error[i] = scale_ * sigma[i] * normal_(random_);
    ContactFilter::State guess = truth_;
    ContactFilter::retract(error, 2, guess);
    ContactFilter filter(2, noise());
    filter.start(guess, ContactFilter::Covariance((scale_ * sigma).cwiseAbs2().asDiagonal()));
    return filter;
  }

  /// One step of truth and filter.
  void advance(ContactFilter& filter) {
    advance(filter, [](const Step&) {});
  }
  template <typename Use>
  void advance(ContactFilter& filter, Use use) {
    const Step step = measure();
    filter.propagate(step.angular_velocity, step.specific_force, kDt, std::array{contact_density(), contact_density()});
    for (int i : {0, 1}) {
      const Eigen::Matrix3d covariance = measurement_noise() * measurement_noise() * Eigen::Matrix3d::Identity();
      filter.correct(i, filter.innovation(i, step.contact[static_cast<std::size_t>(i)], covariance));
    }
    use(step);
  }

 private:
  Eigen::Vector3d normal3() { return {normal_(random_), normal_(random_), normal_(random_)}; }

  Step measure() {
    const double t = time_s_;
    const Eigen::Vector3d acceleration(0.8 * std::sin(3.0 * t), 1.2 * std::cos(2.0 * t), 0.5 * std::sin(5.0 * t));
    const Eigen::Vector3d angular_velocity(0.4 * std::cos(2.0 * t), 0.5 * std::sin(3.0 * t), 0.3 * std::cos(1.0 * t));
    const Eigen::Vector3d gravity(0.0, 0.0, -kGravity);
    const Eigen::Vector3d force = truth_.R_world_imu.conjugate() * (acceleration - gravity);
    const double root_dt = std::sqrt(kDt);
    Step step;
    step.angular_velocity = angular_velocity + truth_.gyroscope_bias + noise().gyroscope / root_dt * normal3();
    step.specific_force = force + truth_.accelerometer_bias + noise().accelerometer / root_dt * normal3();

    const std::array<Eigen::Matrix3d, 3> integrals = rotation_integrals(kDt * angular_velocity);
    truth_.position +=
        kDt * truth_.velocity + truth_.R_world_imu * (integrals[2] * force) * kDt * kDt + 0.5 * kDt * kDt * gravity;
    truth_.velocity += truth_.R_world_imu * (integrals[1] * force) * kDt + kDt * gravity;
    truth_.R_world_imu = (truth_.R_world_imu * Eigen::Quaterniond(integrals[0])).normalized();
    truth_.gyroscope_bias += noise().gyroscope_bias * root_dt * normal3();
    truth_.accelerometer_bias += noise().accelerometer_bias * root_dt * normal3();
    for (std::size_t i : {0u, 1u}) {
      truth_.contact[i] += contact_density() * root_dt * normal3();
      step.contact[i] =
          truth_.R_world_imu.conjugate() * (truth_.contact[i] - truth_.position) + measurement_noise() * normal3();
    }
    time_s_ += kDt;
    return step;
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double scale_;
  ContactFilter::State truth_;
  double time_s_ = 0.0;
};

}  // namespace aplomb::test
