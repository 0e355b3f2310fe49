#include "aplomb/estimate/contact_filter.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "estimate/error_state_filter.hpp"
#include "estimate/simulated_stance.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

using Covariance = ContactFilter::Covariance;
using ErrorVector = ContactFilter::ErrorVector;
using State = ContactFilter::State;
constexpr std::array<double, 2> kStill = {0.0, 0.0};

State some_state() {
  State state;
  state.R_world_imu = Eigen::Quaterniond(rotation_by({0.3, -0.5, 0.8}));
  state.velocity = {0.4, -0.2, 0.7};
  state.position = {1.0, 2.0, 0.9};
  state.contact[0] = {1.1, 2.3, 0.05};
  state.contact[1] = {0.9, 1.7, -0.02};
  return state;
}

/// The state after a step of a filter that starts there, with its covariance.
ContactFilter after_step(const State& state, const Covariance& covariance, const Eigen::Vector3d& angular_velocity,
                         const Eigen::Vector3d& specific_force, double dt) {
  ContactFilter filter(2, {});
  filter.start(state, covariance);
  filter.propagate(angular_velocity, specific_force, dt, kStill);
  return filter;
}

TEST(ContactFilter, RotationIntegralsAreTheirSeries) {
  for (double angle : {0.0, 1e-6, 9.9e-3, 1.01e-2, 0.3, 2.0}) {
    const Eigen::Vector3d turn = angle * Eigen::Vector3d(1.0, -2.0, 2.0) / 3.0;
    Eigen::Matrix3d cross;
    cross << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(), 0;
    const std::array<Eigen::Matrix3d, 3> integrals = rotation_integrals(turn);
    for (int m = 0; m < 3; ++m) {
      Eigen::Matrix3d sum = Eigen::Matrix3d::Zero(), power = Eigen::Matrix3d::Identity();
      for (int n = 0; n < 40; ++n, power = power * cross) sum += power / std::tgamma(n + m + 1);
      EXPECT_LT((integrals[static_cast<std::size_t>(m)] - sum).norm(), 1e-12) << "angle " << angle << ", m " << m;
    }
  }
}

TEST(ContactFilter, FallsFreelyWhileItTurns) {
  const double dt = 0.5;
  const Eigen::Vector3d angular_velocity(1.0, 2.0, -0.5);
  const State start = some_state();
  const State end = after_step(start, Covariance::Zero(21, 21), angular_velocity, Eigen::Vector3d::Zero(), dt).state();
  const Eigen::Vector3d gravity(0.0, 0.0, -kGravity);
  EXPECT_LT((end.velocity - start.velocity - gravity * dt).norm(), 1e-14);
  EXPECT_LT((end.position - start.position - start.velocity * dt - 0.5 * dt * dt * gravity).norm(), 1e-14);
  const Eigen::Quaterniond turned = start.R_world_imu * Eigen::Quaterniond(rotation_by(dt * angular_velocity));
  EXPECT_LT(end.R_world_imu.angularDistance(turned), 1e-14);
  EXPECT_EQ(end.contact[0], start.contact[0]);
}

TEST(ContactFilter, IntegratesAConstantForceInATurningBodyExactly) {
  // One step of 0.2 s against 2000 of 0.1 ms.
  const Eigen::Vector3d angular_velocity(2.0, -3.0, 1.0), force(1.0, 2.0, 12.0);
  const State once = after_step(some_state(), Covariance::Zero(21, 21), angular_velocity, force, 0.2).state();
  ContactFilter fine(2, {});
  fine.start(some_state(), Covariance::Zero(21, 21));
  for (int i = 0; i < 2000; ++i) fine.propagate(angular_velocity, force, 1e-4, kStill);
  EXPECT_LT(once.R_world_imu.angularDistance(fine.state().R_world_imu), 1e-10);
  EXPECT_LT((once.velocity - fine.state().velocity).norm(), 1e-10);
  EXPECT_LT((once.position - fine.state().position).norm(), 1e-10);
}

TEST(ContactFilter, LargeErrorsPropagateLinearlyAndIndependentlyOfTheMotion) {
  // The log-linear property of invariant filters: without bias errors ξ after the step is F ξ exactly, however large ξ
  // is (Hartley et al. 2020, theorem 1 and its corollary).
  const double dt = 0.05;
  ErrorVector error = ErrorVector::Zero(21);
  error.head<15>() << 0.8, -0.5, 0.6, 1.0, -2.0, 0.5, 0.3, 0.4, -0.7, 1.0, 0.2, -0.4, 0.3, 0.6, 0.9;
  Eigen::MatrixXd F = Eigen::MatrixXd::Identity(21, 21);
  Eigen::Matrix3d gravity_cross;
  gravity_cross << 0, kGravity, 0, -kGravity, 0, 0, 0, 0, 0;
  F.block<3, 3>(3, 0) = gravity_cross * dt;
  F.block<3, 3>(6, 0) = 0.5 * gravity_cross * dt * dt;
  F.block<3, 3>(6, 3) = Eigen::Matrix3d::Identity() * dt;
  for (const Eigen::Vector3d& angular_velocity : {Eigen::Vector3d(0.0, 0.0, 0.0), Eigen::Vector3d(3.0, -2.0, 4.0)}) {
    for (const Eigen::Vector3d& force : {Eigen::Vector3d(0.0, 0.0, kGravity), Eigen::Vector3d(4.0, -7.0, 2.0)}) {
      const State truth = some_state();
      State guess = truth;
      ContactFilter::retract(error, 2, guess);
      const ContactFilter estimate = after_step(guess, Covariance::Zero(21, 21), angular_velocity, force, dt);
      const ContactFilter real = after_step(truth, Covariance::Zero(21, 21), angular_velocity, force, dt);
      EXPECT_LT((estimate.error_against(real.state()) - F * error).norm(), 1e-12);
    }
  }
}

TEST(ContactFilter, CovarianceIsCarriedByTheDerivativesOfTheStep) {
  const double dt = 1e-3, width = 1e-6;
  const Eigen::Vector3d angular_velocity(0.8, -1.5, 0.6), force(2.0, -1.0, 11.0);
  State truth = some_state();
  truth.gyroscope_bias = {0.01, -0.02, 0.03};
  truth.accelerometer_bias = {0.1, 0.2, -0.1};
  const ContactFilter real = after_step(truth, Covariance::Zero(21, 21), angular_velocity, force, dt);
  Eigen::MatrixXd numeric(21, 21);
  for (int i = 0; i < 21; ++i) {
    ErrorVector error = ErrorVector::Zero(21);
    error[i] = width;
    State above = truth, below = truth;
    ContactFilter::retract(error, 2, above);
    ContactFilter::retract(-error, 2, below);
    const auto end = [&](const State& from) {
      return Eigen::VectorXd(
          after_step(from, Covariance::Zero(21, 21), angular_velocity, force, dt).error_against(real.state()));
    };
    numeric.col(i) = (end(above) - end(below)) / (2.0 * width);
  }
  Eigen::MatrixXd root = Eigen::MatrixXd::Random(21, 21);
  const Eigen::MatrixXd before = root * root.transpose();
  const Eigen::MatrixXd after = after_step(truth, before, angular_velocity, force, dt).covariance();
  // The terms left out are of the order angle × dt²: 2 mrad × 1e-6 s².
  EXPECT_LT((after - numeric * before * numeric.transpose()).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(ContactFilter, MeasurementMatrixIsTheDerivativeOfTheInnovation) {
  // ν = −H ξ with H = (… −1 for p … +1 for d …), for a true measurement.
  const State truth = some_state();
  const Eigen::Vector3d measured = truth.R_world_imu.conjugate() * (truth.contact[1] - truth.position);
  for (int i = 0; i < 21; ++i) {
    ErrorVector error = ErrorVector::Zero(21);
    error[i] = 1e-6;
    State guess = truth;
    ContactFilter::retract(error, 2, guess);
    ContactFilter filter(2, {});
    filter.start(guess, Covariance::Identity(21, 21));
    const Eigen::Vector3d slope = filter.innovation(1, measured, Eigen::Matrix3d::Zero()).value / 1e-6;
    Eigen::Vector3d expected = Eigen::Vector3d::Zero();
    if (i >= 6 && i < 9) expected[i - 6] = 1.0;
    if (i >= 12 && i < 15) expected[i - 12] = -1.0;
    EXPECT_LT((slope - expected).norm(), 1e-5) << "error " << i;
  }
}

TEST(ContactFilter, ErrorAgainstInvertsRetract) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    ErrorVector error(21);
    for (double& value : error) value = 0.5 * normal(random);
    State guess = some_state();
    ContactFilter::retract(error, 2, guess);
    ContactFilter filter(2, {});
    filter.start(guess, Covariance::Zero(21, 21));
    EXPECT_LT((filter.error_against(some_state()) - error).norm(), 1e-11);
  }
}

TEST(ContactFilter, PlacedContactsHaveNoInnovationAndTheCovarianceOfTheirMeasurement) {
  test::SimulatedStance stance(1);
  ContactFilter filter = stance.filter();
  for (int i = 0; i < 50; ++i) stance.advance(filter);
  const Eigen::Matrix3d noise = 1e-4 * Eigen::Matrix3d::Identity();
  const Eigen::Vector3d measured(0.1, 0.2, -0.9);
  filter.place(1, measured, noise);
  const ContactFilter::Innovation innovation = filter.innovation(1, measured, Eigen::Matrix3d::Zero());
  EXPECT_LT(innovation.value.norm(), 1e-12);
  EXPECT_LT((innovation.covariance - noise).norm(), 1e-12);
  EXPECT_GT(Eigen::MatrixXd(filter.covariance()).selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0);
}

TEST(ContactFilter, NormalisedErrorIsChiSquareWithMatchedNoise) {
  // Mean over the runs of the normalised estimation error squared (NEES) of all 21 states; initial errors are drawn
  // from the initial covariance. 95 % band of chi-square(21 × 100) / 100, by its normal approximation.
  constexpr int kRuns = 100, kSteps = 600;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kSteps);
  for (int run = 0; run < kRuns; ++run) {
    test::SimulatedStance stance(static_cast<std::uint64_t>(run) + 1);
    ContactFilter filter = stance.filter();
    for (int step = 0; step < kSteps; ++step) {
      stance.advance(filter);
      const Eigen::VectorXd error = filter.error_against(stance.truth());
      mean[step] += error.dot(Eigen::LDLT<Eigen::MatrixXd>(filter.covariance()).solve(error)) / kRuns;
    }
  }
  const double half_band = 1.96 * std::sqrt(2.0 * 21.0 / kRuns);
  const auto inside = ((mean.array() - 21.0).abs() < half_band).count();
  RecordProperty("nees_mean", std::to_string(mean.mean()));
  EXPECT_GE(static_cast<double>(inside) / kSteps, 0.9) << "mean NEES " << mean.mean() << " of 21";
  EXPECT_NEAR(mean.mean(), 21.0, half_band);
}

/// Largest difference between this filter and an independent textbook one on the same data, in standard deviations.
double difference_from_error_state_filter(double scale) {
  test::SimulatedStance stance(11, scale);
  ContactFilter filter = stance.filter();
  test::ErrorStateFilter other(filter, stance);
  for (int step = 0; step < 1000; ++step) {
    stance.advance(filter, [&](const test::SimulatedStance::Step& at) { other.advance(at); });
  }
  const Eigen::VectorXd difference = filter.error_against(other.state());
  const Eigen::VectorXd sigma = filter.covariance().diagonal().cwiseSqrt();
  const Eigen::MatrixXd covariance = other.invariant_covariance();
  for (int i = 0; i < 21; ++i) EXPECT_NEAR(std::sqrt(covariance(i, i)) / sigma[i], 1.0, 0.02) << "state " << i;
  return (difference.array() / sigma.array()).abs().maxCoeff();
}

TEST(ContactFilter, AgreesWithAnErrorStateQuaternionFilter) {
  // Both are first-order filters of the same model in different coordinates: they differ by second-order terms, which
  // vanish relative to the standard deviations in proportion to the noise.
  const double small = difference_from_error_state_filter(0.1), tiny = difference_from_error_state_filter(0.01);
  EXPECT_LT(small, 0.1);
  EXPECT_LT(tiny, 0.01);
}

TEST(ContactFilter, CovarianceStaysSymmetricAndPositiveForTenMinutesOfRest) {
  test::SimulatedStance stance(2);
  ContactFilter filter = stance.filter();
  for (int step = 0; step < 120000; ++step) stance.advance(filter);
  const Eigen::MatrixXd covariance = filter.covariance();
  EXPECT_LT((covariance - covariance.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(covariance.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.0);
  EXPECT_TRUE(filter.is_finite());
}

TEST(ContactFilter, RefusesAMeasurementThatIsNotANumber) {
  test::SimulatedStance stance(2);
  ContactFilter filter = stance.filter();
  const Covariance before = filter.covariance();
  const Eigen::Vector3d broken = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(filter.correct(0, filter.innovation(0, broken, Eigen::Matrix3d::Identity())));
  EXPECT_FALSE(filter.correct(0, filter.innovation(0, Eigen::Vector3d::Zero(), broken.asDiagonal())));
  EXPECT_EQ(filter.covariance(), before);
  EXPECT_TRUE(filter.is_finite());
}

TEST(ContactFilter, HasRoomForFiveContacts) {
  EXPECT_NO_THROW(ContactFilter(5, {}));
  EXPECT_THROW(ContactFilter(6, {}), InvalidValue);
  EXPECT_THROW(ContactFilter(-1, {}), InvalidValue);
}

TEST(ContactFilter, NeverAllocates) {
  SKIP_UNLESS_COUNTED();
  test::SimulatedStance stance(2);
  ContactFilter filter = stance.filter();
  const test::AllocationCount allocations;
  for (int step = 0; step < 100; ++step) stance.advance(filter);
  filter.place(0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity());
  EXPECT_EQ(allocations.since_start(), 0u);
}

}  // namespace
}  // namespace aplomb
