#include "aplomb/estimate/contact_filter.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Places of the parts of the error in it.
constexpr int kRotation = 0, kVelocity = 3, kPosition = 6;

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d cross;
  cross << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return cross;
}

/// Inverse of the left Jacobian of SO(3), Γ_1⁻¹.
Eigen::Matrix3d inverse_left_jacobian(const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  const Eigen::Matrix3d cross = cross_matrix(turn);
  // (1 − (φ/2) cot(φ/2)) / φ² = 1/12 + φ²/720 + …
  const double factor = angle < 1e-3
                            ? 1.0 / 12.0 + angle * angle / 720.0
                            : (1.0 - 0.5 * angle * std::cos(0.5 * angle) / std::sin(0.5 * angle)) / (angle * angle);
  return Eigen::Matrix3d::Identity() - 0.5 * cross + factor * cross * cross;
}

}  // namespace

std::array<Eigen::Matrix3d, 3> rotation_integrals(const Eigen::Vector3d& turn) {
  const double angle = turn.norm(), square = angle * angle;
  const Eigen::Matrix3d cross = cross_matrix(turn), cross_square = cross * cross;
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  // sin φ / φ, (1 − cos φ) / φ², (φ − sin φ) / φ³, (φ² + 2 cos φ − 2) / 2φ⁴; as series where these cancel.
  double a = 1.0 - square / 6.0, b = 0.5 - square / 24.0, c = 1.0 / 6.0 - square / 120.0,
         d = 1.0 / 24.0 - square / 720.0;
  if (angle > 1e-2) {
    a = std::sin(angle) / angle;
    b = (1.0 - std::cos(angle)) / square;
    c = (1.0 - a) / square;
    d = (0.5 - b) / square;
  } else {
    a += square * square / 120.0;
    b += square * square / 720.0;
    c += square * square / 5040.0;
    d += square * square / 40320.0;
  }
  return {identity + a * cross + b * cross_square, identity + b * cross + c * cross_square,
          0.5 * identity + c * cross + d * cross_square};
}

ContactFilter::ContactFilter(int num_contacts, const Noise& noise, int num_moving)
    : num_contacts_(num_contacts), num_moving_(num_moving), noise_(noise) {
  if (num_contacts < 0 || num_contacts > kMaxContacts) {
    throw InvalidValue(fmt::format("a contact filter has 0 to {} contact points, not {}", kMaxContacts, num_contacts));
  }
  if (num_moving < 0 || num_moving > std::min(num_contacts, kMaxMoving)) {
    throw InvalidValue(fmt::format("of {} contact points 0 to {} may move, not {}", num_contacts,
                                   std::min(num_contacts, kMaxMoving), num_moving));
  }
  covariance_ = Covariance::Zero(error_size(), error_size());
  bias_columns_ = mixed_ = weighted_ = BiasColumns::Zero(error_size() - 6, 6);
}

void ContactFilter::start(const State& state, const Covariance& covariance) {
  state_ = state;
  state_.R_world_imu.normalize();
  covariance_ = covariance;
}

void ContactFilter::propagate(const Eigen::Vector3d& angular_velocity, const Eigen::Vector3d& specific_force, double dt,
                              std::span<const double> contact_density, std::span<const double> velocity_density) {
  const Eigen::Vector3d gravity(0.0, 0.0, -kGravity);
  const Eigen::Vector3d turn = (angular_velocity - state_.gyroscope_bias) * dt;
  const Eigen::Vector3d force = specific_force - state_.accelerometer_bias;
  const Eigen::Matrix3d R = state_.R_world_imu.toRotationMatrix();
  const std::array<Eigen::Matrix3d, 3> integrals = rotation_integrals(turn);
  const Eigen::Matrix3d R1 = R * integrals[1] * dt, R2 = R * integrals[2] * (dt * dt);

  // Exact for a constant angular velocity and specific force in the IMU's axes (Hartley et al. 2020, appendix).
  state_.position += dt * state_.velocity + R2 * force + (0.5 * dt * dt) * gravity;
  state_.velocity += R1 * force + dt * gravity;
  state_.R_world_imu = Eigen::Quaterniond(R * integrals[0]).normalized();
  for (std::size_t i = 0; i < static_cast<std::size_t>(num_moving_); ++i) {
    state_.contact[i] += dt * state_.contact_velocity[i];
  }

  // Derivatives of the error after the step with respect to the biases, to first order in them. Γ_1(φ) a and Γ_2(φ) a
  // change with φ by −[a]×/2 and −[a]×/6, up to terms in φ, which is milliradians.
  const Eigen::Matrix3d R_force = R * cross_matrix(force);
  bias_columns_.setZero();
  bias_columns_.block<3, 3>(kRotation, 0) = -R1;
  bias_columns_.block<3, 3>(kVelocity, 0) = -cross_matrix(state_.velocity) * R1 + (0.5 * dt * dt) * R_force;
  bias_columns_.block<3, 3>(kVelocity, 3) = -R1;
  bias_columns_.block<3, 3>(kPosition, 0) = -cross_matrix(state_.position) * R1 + (dt * dt * dt / 6.0) * R_force;
  bias_columns_.block<3, 3>(kPosition, 3) = -R2;
  for (int i = 0; i < num_contacts_; ++i) {
    bias_columns_.block<3, 3>(contact_index(i), 0) = -cross_matrix(state_.contact[static_cast<std::size_t>(i)]) * R1;
  }
  for (int i = 0; i < num_moving_; ++i) {
    bias_columns_.block<3, 3>(velocity_index(i), 0) =
        -cross_matrix(state_.contact_velocity[static_cast<std::size_t>(i)]) * R1;
  }
  propagate_covariance(dt, contact_density, velocity_density);
}

void ContactFilter::propagate_covariance(double dt, std::span<const double> contact_density,
                                         std::span<const double> velocity_density) {
  // P = [P_nn P_nb; P_bn P_bb] over navigation states and biases, Φ = [F B; 0 1]. F is the identity but for
  //   ξ_v += [g]× dt ξ_R,   ξ_p += dt ξ_v + [g]× dt²/2 ξ_R,   ξ_d += dt ξ_u.
  const int n = gyroscope_bias_index();
  const Eigen::Matrix3d gravity = cross_matrix({0.0, 0.0, -kGravity * dt});
  const auto advance_rows = [&](auto rows) {
    rows.template middleRows<3>(kPosition) += dt * rows.template middleRows<3>(kVelocity);
    rows.template middleRows<3>(kPosition).noalias() +=
        (0.5 * dt) * gravity.lazyProduct(rows.template middleRows<3>(kRotation));
    rows.template middleRows<3>(kVelocity).noalias() += gravity.lazyProduct(rows.template middleRows<3>(kRotation));
  };
  advance_rows(covariance_.topRows(n));
  for (int i = 0; i < num_moving_; ++i) {
    covariance_.middleRows<3>(contact_index(i)) += dt * covariance_.middleRows<3>(velocity_index(i));
  }
  mixed_ = covariance_.topRightCorner(n, 6);
  auto columns = covariance_.topLeftCorner(n, n);
  columns.middleCols<3>(kPosition) += dt * columns.middleCols<3>(kVelocity);
  columns.middleCols<3>(kPosition).noalias() +=
      (0.5 * dt) * columns.middleCols<3>(kRotation).lazyProduct(gravity.transpose());
  columns.middleCols<3>(kVelocity).noalias() += columns.middleCols<3>(kRotation).lazyProduct(gravity.transpose());
  for (int i = 0; i < num_moving_; ++i) {
    columns.middleCols<3>(contact_index(i)) += dt * columns.middleCols<3>(velocity_index(i));
  }

  // White noise of the IMU enters as its biases do: P_nn += F P_nb Bᵀ + B P_bn Fᵀ + B (P_bb + N) Bᵀ.
  Eigen::Matrix<double, 6, 6> biases = covariance_.bottomRightCorner<6, 6>();
  biases.diagonal().head<3>().array() += noise_.gyroscope * noise_.gyroscope / dt;
  biases.diagonal().tail<3>().array() += noise_.accelerometer * noise_.accelerometer / dt;
  weighted_.noalias() = 0.5 * bias_columns_.lazyProduct(biases);
  weighted_ += mixed_;
  columns.noalias() += weighted_.lazyProduct(bias_columns_.transpose());
  columns.noalias() += bias_columns_.lazyProduct(weighted_.transpose());
  mixed_.noalias() += bias_columns_.lazyProduct(covariance_.bottomRightCorner<6, 6>());
  covariance_.topRightCorner(n, 6) = mixed_;
  covariance_.bottomLeftCorner(6, n) = mixed_.transpose();

  covariance_.diagonal().segment<3>(n).array() += dt * noise_.gyroscope_bias * noise_.gyroscope_bias;
  covariance_.diagonal().segment<3>(n + 3).array() += dt * noise_.accelerometer_bias * noise_.accelerometer_bias;
  for (int i = 0; i < num_contacts_; ++i) {
    const double density = contact_density[static_cast<std::size_t>(i)];
    covariance_.diagonal().segment<3>(contact_index(i)).array() += dt * density * density;
  }
  for (int i = 0; i < std::min(num_moving_, static_cast<int>(velocity_density.size())); ++i) {
    const double density = velocity_density[static_cast<std::size_t>(i)];
    covariance_.diagonal().segment<3>(velocity_index(i)).array() += dt * density * density;
  }
  for (int i = 0; i < n; ++i) {  // otherwise rounding errors add up over hours
    for (int j = 0; j < i; ++j) covariance_(j, i) = covariance_(i, j);
  }
}

ContactFilter::Innovation ContactFilter::innovation(int contact, const Eigen::Vector3d& position_in_imu,
                                                    const Eigen::Matrix3d& measurement_covariance) const {
  // y = Rᵀ (d − p) + noise is right-invariant: ν = R̂ y + p̂ − d̂ = ξ_p − ξ_d + R̂ noise = −H ξ + R̂ noise.
  const Eigen::Matrix3d R = state_.R_world_imu.toRotationMatrix();
  const int d = contact_index(contact), p = kPosition;
  Innovation innovation;
  innovation.value = R * position_in_imu + state_.position - state_.contact[static_cast<std::size_t>(contact)];
  innovation.covariance = covariance_.block<3, 3>(d, d) - covariance_.block<3, 3>(d, p) -
                          covariance_.block<3, 3>(p, d) + covariance_.block<3, 3>(p, p) +
                          R * measurement_covariance * R.transpose();
  const Eigen::LLT<Eigen::Matrix3d> factor(innovation.covariance);
  innovation.normalised_square = factor.matrixL().solve(innovation.value).squaredNorm();
  return innovation;
}

bool ContactFilter::correct(int contact, const Innovation& innovation) {
  MeasurementColumns W = covariance_.middleCols<3>(contact_index(contact)) - covariance_.middleCols<3>(kPosition);
  return correct_by(W, innovation);
}

bool ContactFilter::correct_at_rest(int contact, double sigma) {
  // 0 = u + noise:  ν = û = ξ_u to first order, since u itself is nearly zero.
  const int u = velocity_index(contact);
  Innovation innovation;
  innovation.value = state_.contact_velocity[static_cast<std::size_t>(contact)];
  innovation.covariance = covariance_.block<3, 3>(u, u);
  innovation.covariance.diagonal().array() += sigma * sigma;
  MeasurementColumns W = -covariance_.middleCols<3>(u);
  return correct_by(W, innovation);
}

bool ContactFilter::correct_by(MeasurementColumns& W, const Innovation& innovation) {
  const Eigen::LLT<Eigen::Matrix3d> factor(innovation.covariance);
  // The factorisation does not notice NaN.
  if (factor.info() != Eigen::Success || !innovation.value.allFinite()) return false;
  if (!innovation.covariance.allFinite()) return false;
  // W = P Hᵀ L⁻ᵀ with L Lᵀ = S:   K ν = W L⁻¹ ν,   P ← P − W Wᵀ, symmetric to the last digit.
  factor.matrixU().solveInPlace<Eigen::OnTheRight>(W);
  const Eigen::Vector3d whitened = factor.matrixL().solve(innovation.value);
  const ErrorVector step = W.lazyProduct(whitened);
  covariance_.noalias() -= W.lazyProduct(W.transpose());
  retract(step, num_contacts_, state_, num_moving_);
  return true;
}

void ContactFilter::loosen_velocity(double sigma) {
  covariance_.diagonal().segment<3>(kVelocity).array() += sigma * sigma;
}

void ContactFilter::loosen(int contact, double sigma) {
  covariance_.diagonal().segment<3>(velocity_index(contact)).array() += sigma * sigma;
}

void ContactFilter::place(int contact, const Eigen::Vector3d& position_in_imu,
                          const Eigen::Matrix3d& measurement_covariance) {
  // d̂ = p̂ + R̂ y: its error is ξ_d = ξ_p + R̂ noise (Hartley et al. 2020, "Adding contact points").
  const Eigen::Matrix3d R = state_.R_world_imu.toRotationMatrix();
  const int d = contact_index(contact);
  state_.contact[static_cast<std::size_t>(contact)] = state_.position + R * position_in_imu;
  covariance_.middleRows<3>(d) = covariance_.middleRows<3>(kPosition).eval();
  covariance_.middleCols<3>(d) = covariance_.middleCols<3>(kPosition).eval();
  covariance_.block<3, 3>(d, d) =
      covariance_.block<3, 3>(kPosition, kPosition) + R * measurement_covariance * R.transpose();
}

ContactFilter::ErrorVector ContactFilter::error_against(const State& truth) const {
  const Eigen::Quaterniond difference = state_.R_world_imu * truth.R_world_imu.conjugate();
  const Eigen::Vector3d turn = rotation_vector(difference.toRotationMatrix());
  const Eigen::Matrix3d inverse = inverse_left_jacobian(turn);
  ErrorVector error(error_size());
  error.segment<3>(kRotation) = turn;
  error.segment<3>(kVelocity) = inverse * (state_.velocity - difference * truth.velocity);
  error.segment<3>(kPosition) = inverse * (state_.position - difference * truth.position);
  for (int i = 0; i < num_contacts_; ++i) {
    const auto index = static_cast<std::size_t>(i);
    error.segment<3>(contact_index(i)) = inverse * (state_.contact[index] - difference * truth.contact[index]);
  }
  for (int i = 0; i < num_moving_; ++i) {
    const auto index = static_cast<std::size_t>(i);
    error.segment<3>(velocity_index(i)) =
        inverse * (state_.contact_velocity[index] - difference * truth.contact_velocity[index]);
  }
  error.segment<3>(gyroscope_bias_index()) = state_.gyroscope_bias - truth.gyroscope_bias;
  error.segment<3>(accelerometer_bias_index()) = state_.accelerometer_bias - truth.accelerometer_bias;
  return error;
}

void ContactFilter::retract(const ErrorVector& error, int num_contacts, State& state, int num_moving) {
  const std::array<Eigen::Matrix3d, 3> integrals = rotation_integrals(error.segment<3>(kRotation));
  const auto move = [&](Eigen::Vector3d& part, int index) {
    part = integrals[0] * part + integrals[1] * error.segment<3>(index);
  };
  move(state.velocity, kVelocity);
  move(state.position, kPosition);
  for (int i = 0; i < num_contacts; ++i) move(state.contact[static_cast<std::size_t>(i)], 9 + 3 * i);
  const int velocities = 9 + 3 * num_contacts, biases = velocities + 3 * num_moving;
  for (int i = 0; i < num_moving; ++i) {
    move(state.contact_velocity[static_cast<std::size_t>(i)], velocities + 3 * i);
  }
  state.R_world_imu = (Eigen::Quaterniond(integrals[0]) * state.R_world_imu).normalized();
  state.gyroscope_bias += error.segment<3>(biases);
  state.accelerometer_bias += error.segment<3>(biases + 3);
}

bool ContactFilter::is_finite() const {
  bool is_all_finite = state_.R_world_imu.coeffs().allFinite() && state_.velocity.allFinite() &&
                       state_.position.allFinite() && state_.gyroscope_bias.allFinite() &&
                       state_.accelerometer_bias.allFinite() && covariance_.allFinite();
  for (int i = 0; i < num_contacts_; ++i) {
    is_all_finite = is_all_finite && state_.contact[static_cast<std::size_t>(i)].allFinite();
  }
  for (int i = 0; i < num_moving_; ++i) {
    is_all_finite = is_all_finite && state_.contact_velocity[static_cast<std::size_t>(i)].allFinite();
  }
  return is_all_finite;
}

}  // namespace aplomb
