#pragma once

#include <Eigen/LU>

#include "estimate/simulated_stance.hpp"

namespace aplomb::test {

/// The textbook error-state Kalman filter with the same state as ContactFilter, written independently of it: the error
/// is (δθ in body axes, δv, δp, δd_1, δd_2, δb_g, δb_a) with truth = estimate ⊞ error, all matrices are dense, the
/// covariance is discretised to second order, the measurements are stacked, the update is Joseph's.
class ErrorStateFilter {
 public:
  using Matrix = Eigen::Matrix<double, 21, 21>;

  ErrorStateFilter(const ContactFilter& other, const SimulatedStance& stance)
      : state_(other.state()),
        noise_(stance.noise()),
        contact_density_(stance.contact_density()),
        measurement_noise_(stance.measurement_noise()) {
    const Matrix T = from_invariant();
    covariance_ = T * other.covariance() * T.transpose();
  }

  void advance(const SimulatedStance::Step& step) {
    predict(step);
    update(step);
  }
  const ContactFilter::State& state() const { return state_; }
  Eigen::MatrixXd invariant_covariance() const {
    const Matrix inverse = from_invariant().inverse();
    return inverse * covariance_ * inverse.transpose();
  }

 private:
  static Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
    Eigen::Matrix3d cross;
    for (int i = 0; i < 3; ++i) cross.col(i) = v.cross(Eigen::Vector3d::Unit(i));
    return cross;
  }

  /// error = T (ξ, ζ). R̂ = exp(ξ) R and R = R̂ exp(δθ): δθ = −R̂ᵀ ξ_R; x̂ = exp(ξ_R) x + ξ_x: δx = [x]× ξ_R − ξ_x.
  Matrix from_invariant() const {
    Matrix T = -Matrix::Identity();
    T.block<3, 3>(0, 0) = -state_.R_world_imu.toRotationMatrix().transpose();
    T.block<3, 3>(3, 0) = skew(state_.velocity);
    T.block<3, 3>(6, 0) = skew(state_.position);
    T.block<3, 3>(9, 0) = skew(state_.contact[0]);
    T.block<3, 3>(12, 0) = skew(state_.contact[1]);
    return T;
  }

  void predict(const SimulatedStance::Step& step) {
    constexpr double dt = SimulatedStance::kDt;
    const Eigen::Vector3d omega = step.angular_velocity - state_.gyroscope_bias;
    const Eigen::Vector3d force = step.specific_force - state_.accelerometer_bias;
    const Eigen::Matrix3d R = state_.R_world_imu.toRotationMatrix();
    Matrix A = Matrix::Zero();
    A.block<3, 3>(0, 0) = -skew(omega);
    A.block<3, 3>(0, 15) = -Eigen::Matrix3d::Identity();
    A.block<3, 3>(3, 0) = -R * skew(force);
    A.block<3, 3>(3, 18) = -R;
    A.block<3, 3>(6, 3) = Eigen::Matrix3d::Identity();
    Eigen::Matrix<double, 21, 1> density = Eigen::Matrix<double, 21, 1>::Zero();
    density.segment<3>(0).setConstant(noise_.gyroscope);
    density.segment<3>(3).setConstant(noise_.accelerometer);
    density.segment<6>(9).setConstant(contact_density_);
    density.segment<3>(15).setConstant(noise_.gyroscope_bias);
    density.segment<3>(18).setConstant(noise_.accelerometer_bias);
    const Matrix Q = density.cwiseAbs2().asDiagonal();
    const Matrix Phi = Matrix::Identity() + A * dt + 0.5 * A * A * dt * dt;
    covariance_ = Phi * covariance_ * Phi.transpose() + 0.5 * dt * (Phi * Q * Phi.transpose() + Q);

    // Midpoint rule, in 20 parts of the step.
    constexpr double part = dt / 20;
    for (int i = 0; i < 20; ++i) {
      const Eigen::Vector3d acceleration =
          state_.R_world_imu * (rotation_by(0.5 * part * omega) * force) - Eigen::Vector3d(0.0, 0.0, kGravity);
      state_.position += part * state_.velocity + 0.5 * part * part * acceleration;
      state_.velocity += part * acceleration;
      state_.R_world_imu = (state_.R_world_imu * Eigen::Quaterniond(rotation_by(part * omega))).normalized();
    }
  }

  void update(const SimulatedStance::Step& step) {
    const Eigen::Matrix3d R = state_.R_world_imu.toRotationMatrix();
    Eigen::Matrix<double, 6, 21> H = Eigen::Matrix<double, 6, 21>::Zero();
    Eigen::Matrix<double, 6, 1> residual;
    for (int i : {0, 1}) {
      const auto index = static_cast<std::size_t>(i);
      const Eigen::Vector3d predicted = R.transpose() * (state_.contact[index] - state_.position);
      residual.segment<3>(3 * i) = step.contact[index] - predicted;
      H.block<3, 3>(3 * i, 0) = skew(predicted);
      H.block<3, 3>(3 * i, 6) = -R.transpose();
      H.block<3, 3>(3 * i, 9 + 3 * i) = R.transpose();
    }
    const Eigen::Matrix<double, 6, 6> noise = std::pow(measurement_noise_, 2) * Eigen::Matrix<double, 6, 6>::Identity();
    const Eigen::Matrix<double, 6, 6> S = H * covariance_ * H.transpose() + noise;
    const Eigen::Matrix<double, 21, 6> K = covariance_ * H.transpose() * S.inverse();
    const Matrix rest = Matrix::Identity() - K * H;
    covariance_ = rest * covariance_ * rest.transpose() + K * noise * K.transpose();
    const Eigen::Matrix<double, 21, 1> error = K * residual;
    state_.R_world_imu = (state_.R_world_imu * Eigen::Quaterniond(rotation_by(error.segment<3>(0)))).normalized();
    state_.velocity += error.segment<3>(3);
    state_.position += error.segment<3>(6);
    state_.contact[0] += error.segment<3>(9);
    state_.contact[1] += error.segment<3>(12);
    state_.gyroscope_bias += error.segment<3>(15);
    state_.accelerometer_bias += error.segment<3>(18);
  }

  ContactFilter::State state_;
  ContactFilter::Noise noise_;
  double contact_density_, measurement_noise_;
  Matrix covariance_;
};

}  // namespace aplomb::test
