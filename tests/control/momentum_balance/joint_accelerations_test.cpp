#include "aplomb/control/momentum_balance/joint_accelerations.hpp"

#include <gtest/gtest.h>

#include "robots/our_robots.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

/// A robot in slow motion, half sitting, with all inputs of JointAccelerations.
struct Standing {
  explicit Standing(const std::string& name, unsigned seed = 3)
      : robot(test::our_robot(name)), contacts(robot, {}), terms(robot, contacts.frames()) {
    RobotState state = robot.posture("half_sitting");
    state.v = 0.1 * test::random_state(robot, seed).v;
    terms.update(state);
    readings.state = state;
    for (int side : {kLeft, kRight}) readings.foot_wrench[side].force.z() = 0.5 * robot.mass() * kGravity;
    Fallbacks fallbacks;
    contacts.update(terms, readings, std::vector<ContactLoad>(2), fallbacks);
    posture.desired = 3.0 * test::random_state(robot, seed + 1).v.tail(robot.num_joints());
    posture.lowest = Eigen::VectorXd::Constant(robot.num_joints(), -1e6);
    posture.highest = -posture.lowest;
  }
  void lift(Side side) {
    readings.foot_wrench[side].force.setZero();
    Fallbacks fallbacks;
    // commanded and not measured: no contact; 20 ms to remove it
    std::vector<ContactLoad> loads(2, {.force = Eigen::Vector3d(0.0, 0.0, robot.mass() * kGravity)});
    for (int i = 0; i < 30; ++i) contacts.update(terms, readings, loads, fallbacks);
  }
  JointAccelerations make() const { return {robot, contacts.sites(), 0.77, Eigen::VectorXd::Ones(robot.num_joints())}; }
  RobotModel robot;
  BalanceContacts contacts;
  RobotTerms terms;
  SensorReadings readings;
  JointAccelerations::Posture posture;
  MomentumRate rate{.linear = {10.0, -5.0, 20.0}, .angular = {1.0, 2.0, -1.0}};
};

/// Solves the dense problem by factorisation of its whole KKT matrix: slow but simple.
Eigen::VectorXd oracle(const Standing& s) {
  const int nv = s.robot.nv(), n = s.robot.num_joints();
  const double m = s.robot.mass(), h = 0.77, weight = std::sqrt(1000.0);
  Eigen::MatrixXd rows(6 + n, nv);
  Eigen::VectorXd wanted(6 + n);
  rows.topRows(3) = weight / (m * h) * s.terms.momentum_matrix().topRows(3);
  rows.middleRows(3, 3) = weight / (m * h * h) * s.terms.momentum_matrix().bottomRows(3);
  wanted.head(3) = weight / (m * h) * (s.rate.linear - s.terms.momentum_bias().head<3>());
  wanted.segment(3, 3) = weight / (m * h * h) * (s.rate.angular - s.terms.momentum_bias().tail<3>());
  rows.bottomRows(n).setZero();
  rows.bottomRightCorner(n, n).setIdentity();
  wanted.tail(n) = s.posture.desired;
  Eigen::MatrixXd feet(12, nv);
  Eigen::VectorXd rest(12);
  for (int side : {kLeft, kRight}) {
    const FrameTerms& foot = s.terms.frame(s.contacts.sites()[static_cast<std::size_t>(side)].frame);
    feet.middleRows(6 * side, 6) = foot.jacobian;
    rest.segment(6 * side, 6) = -foot.bias;
  }
  // KKT: [RᵀR Jᵀ; J 0] [v̇; λ] = [Rᵀw; r]
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(nv + 12, nv + 12);
  kkt.topLeftCorner(nv, nv) = rows.transpose() * rows;
  kkt.topRightCorner(nv, 12) = feet.transpose();
  kkt.bottomLeftCorner(12, nv) = feet;
  Eigen::VectorXd side(nv + 12);
  side << rows.transpose() * wanted, rest;
  return kkt.completeOrthogonalDecomposition().solve(side).segment(6, n);
}

/// The printed problem (14), dense: w |ḣ − A v̇ − Ȧ v|² + (1 − w) |θ̈_d − θ̈|² in SI units with w = 0.5, subject to
/// J v̇ + J̇ v = a_d of both feet, and with some joints fixed to their posture.
Eigen::VectorXd printed_oracle(const Standing& s, const std::vector<bool>& is_fixed,
                               std::span<const JointAccelerations::Prescribed> feet) {
  const int nv = s.robot.nv(), n = s.robot.num_joints();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6 + n, nv), equal = Eigen::MatrixXd::Zero(12 + n, nv);
  Eigen::VectorXd wanted(6 + n), right = Eigen::VectorXd::Zero(12 + n);
  rows.topRows(6) = s.terms.momentum_matrix();
  wanted.head(6) << s.rate.linear, s.rate.angular;
  wanted.head(6) -= s.terms.momentum_bias();
  rows.bottomRightCorner(n, n).setIdentity();
  wanted.tail(n) = s.posture.desired;
  for (int side : {kLeft, kRight}) {
    const FrameTerms& foot = s.terms.frame(s.contacts.sites()[static_cast<std::size_t>(side)].frame);
    equal.middleRows(6 * side, 6) = foot.jacobian;
    right.segment(6 * side, 6) = feet[static_cast<std::size_t>(side)].acceleration - foot.bias;
  }
  for (int i = 0; i < n; ++i) {
    if (!is_fixed[static_cast<std::size_t>(i)]) continue;
    equal(12 + i, 6 + i) = 1.0;
    right[12 + i] = s.posture.desired[i];
  }
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(nv + 12 + n, nv + 12 + n);
  kkt.topLeftCorner(nv, nv) = rows.transpose() * rows;
  kkt.topRightCorner(nv, 12 + n) = equal.transpose();
  kkt.bottomLeftCorner(12 + n, nv) = equal;
  Eigen::VectorXd side(nv + 12 + n);
  side << rows.transpose() * wanted, right;
  return kkt.completeOrthogonalDecomposition().solve(side).segment(6, n);
}

class AccelerationsOf : public testing::TestWithParam<std::string> {};

TEST_P(AccelerationsOf, AreThoseOfTheDenseProblem) {
  const Standing standing(GetParam());
  JointAccelerations accelerations = standing.make();
  ASSERT_TRUE(accelerations.solve(standing.terms, standing.rate, standing.contacts.contacts(), {}, standing.posture));
  const Eigen::VectorXd expected = oracle(standing);
  // The results may differ by the compliance of the planted feet, 1e-9, times the size of the constraint forces.
  EXPECT_LT((accelerations.joints() - expected).norm(), 1e-5 * expected.norm());
}

TEST_P(AccelerationsOf, AsPrintedAreThoseOfThePrintedProblem) {
  Standing standing(GetParam());
  standing.lift(kRight);
  const int n = standing.robot.num_joints();
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(n);
  std::vector<bool> is_fixed(static_cast<std::size_t>(n), false);
  for (int i : {n - 1, n - 2}) {  // joints of an arm
    weight[i] = std::numeric_limits<double>::infinity();
    is_fixed[static_cast<std::size_t>(i)] = true;
  }
  std::vector<JointAccelerations::Prescribed> feet(2);
  feet[kRight].is_fixed = true;
  feet[kRight].acceleration << 0.5, -0.3, 0.8, 1.0, -2.0, 0.4;
  JointAccelerations accelerations(standing.robot, standing.contacts.sites(), 0.77, weight, /*as_printed=*/true);
  ASSERT_TRUE(
      accelerations.solve(standing.terms, standing.rate, standing.contacts.contacts(), {}, standing.posture, feet));
  const Eigen::VectorXd expected = printed_oracle(standing, is_fixed, feet);
  EXPECT_LT((accelerations.joints() - expected).norm(), 1e-5 * expected.norm());
}

TEST_P(AccelerationsOf, ChangeWithTheMomentumsRateAsTheSensitivitySays) {
  Standing standing(GetParam());
  JointAccelerations accelerations = standing.make();
  accelerations.solve(standing.terms, standing.rate, standing.contacts.contacts(), {}, standing.posture);
  const Eigen::VectorXd before = accelerations.joints();
  const Eigen::MatrixXd sensitivity = accelerations.sensitivity();
  Vector6d change;
  change << 3.0, -2.0, 5.0, 0.5, -1.0, 0.7;
  standing.rate.linear += change.head<3>();
  standing.rate.angular += change.tail<3>();
  accelerations.solve(standing.terms, standing.rate, standing.contacts.contacts(), {}, standing.posture);
  const Eigen::VectorXd moved = accelerations.joints() - before;  // the problem is linear: exact up to rounding
  EXPECT_LT((sensitivity * change - moved).norm(), 1e-6 * (1.0 + moved.norm()));
}

TEST_P(AccelerationsOf, StayWithinTheBoundsOfTheJointStops) {
  Standing standing(GetParam());
  JointAccelerations accelerations = standing.make();
  standing.posture.lowest.setConstant(-0.5);
  standing.posture.highest.setConstant(0.7);
  ASSERT_TRUE(accelerations.solve(standing.terms, standing.rate, standing.contacts.contacts(), {}, standing.posture));
  EXPECT_GE(accelerations.joints().minCoeff(), -0.5);
  EXPECT_LE(accelerations.joints().maxCoeff(), 0.7);
}

INSTANTIATE_TEST_SUITE_P(Law, AccelerationsOf, testing::Values("balancer", "coman", "sarcos"),
                         [](const auto& robot) { return robot.param; });

}  // namespace
}  // namespace aplomb
