#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "aplomb/control/contact/contact_limits.hpp"
#include "aplomb/control/partial_force/closed_form_law.hpp"
#include "aplomb/control/partial_force/full_force_law.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"
#include "control/force_problems.hpp"

namespace aplomb {
namespace {

using test::RandomForceProblem;

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(1e-9);  // projected rows that are zero up to rounding do not count
  return factor.compute(A).pseudoInverse();
}

ForceSolution closed_form(RandomForceProblem& random) {
  ClosedFormLaw law(random.robot, random.problem, random.problem.as_listed());
  ForceSolution solution(random.problem, random.robot.nv());
  EXPECT_TRUE(law.solve(random.state, random.problem, solution));
  return solution;
}

/// Torques by the paper's formulas as printed, except for f_s instead of f_f in the cost.
Eigen::VectorXd printed_torque(const RandomForceProblem& random) {
  const int nv = random.robot.nv(), n = random.robot.num_joints();
  Eigen::MatrixXd Jc(15, nv), Js(12, nv);
  Eigen::VectorXd target(15), weight(12);
  Eigen::VectorXd tau_1 = random.terms.bias();
  for (int i : {0, 1}) {
    const ForceContact& foot = random.problem.contacts[static_cast<std::size_t>(i)];
    Js.middleRows(6 * i, 6) = foot.jacobian;
    target.segment(6 * i, 6) = foot.acceleration;
    weight.segment(6 * i, 6) = foot.weight;
  }
  const ForceContact& hand = random.problem.contacts[2];
  Jc << Js, hand.jacobian;
  target.tail(3) = hand.acceleration;
  // (5)
  Eigen::VectorXd acceleration = pseudo_inverse(Jc) * target;
  Eigen::MatrixXd projector = Eigen::MatrixXd::Identity(nv, nv) - pseudo_inverse(Jc) * Jc;
  for (const MotionLevel& level : random.problem.levels) {
    const Eigen::MatrixXd inverse = pseudo_inverse(level.A * projector);
    acceleration += inverse * (level.b - level.A * acceleration);
    projector -= inverse * (level.A * projector);
  }
  tau_1 += random.terms.mass_matrix() * acceleration - hand.jacobian.transpose() * hand.force;
  // (6)
  const Eigen::MatrixXd S = Eigen::MatrixXd::Identity(nv, nv).bottomRows(n);
  const Eigen::MatrixXd Ns = Eigen::MatrixXd::Identity(nv, nv) - pseudo_inverse(Js) * Js;
  const Eigen::MatrixXd B =
      pseudo_inverse(Js) * weight.asDiagonal() * pseudo_inverse(Eigen::MatrixXd(Js.transpose())) + Ns;
  const Eigen::MatrixXd W = (S * B * S.transpose()).inverse();
  const Eigen::VectorXd tau_0 = W * S * B * tau_1;
  const Eigen::MatrixXd root = Eigen::LLT<Eigen::MatrixXd>(W).matrixL();
  const Eigen::MatrixXd X = root * pseudo_inverse(Ns * S.transpose() * root);
  return X * Ns * tau_1 + (Eigen::MatrixXd::Identity(n, n) - X * Ns * S.transpose()) * tau_0;
}

class ForceLaws : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Random, ForceLaws, testing::Range(0u, 20u));

TEST_P(ForceLaws, TheClosedFormObeysPhysics) {
  RandomForceProblem random(GetParam());
  EXPECT_LT(random.physics_error(closed_form(random)), 1e-9);
}

TEST_P(ForceLaws, TheClosedFormIsThePrintedLaw) {
  RandomForceProblem random(GetParam());
  const Eigen::VectorXd printed = printed_torque(random);
  EXPECT_LT((closed_form(random).torque - printed).norm(), 1e-7 * (1.0 + printed.norm()));  // W's condition: 1e8
}

TEST_P(ForceLaws, TheInternalForcesHaveTheLeastWeightedSquare) {
  // Optimality of min f' Wf^-1 f under J_b' f = w: the gradient Wf^-1 f lies in the range of J_b.
  RandomForceProblem random(GetParam());
  const ForceSolution solution = closed_form(random);
  Eigen::MatrixXd base(12, 6);
  Eigen::VectorXd gradient(12);
  for (int i : {0, 1}) {
    const ForceContact& foot = random.problem.contacts[static_cast<std::size_t>(i)];
    base.middleRows(6 * i, 6) = foot.jacobian.leftCols(6);
    gradient.segment(6 * i, 6) = foot.weight.cwiseProduct(solution.force[static_cast<std::size_t>(i)]);
  }
  const Eigen::VectorXd multipliers = base.householderQr().solve(gradient);
  EXPECT_LT((base * multipliers - gradient).norm(), 1e-9 * gradient.norm());
}

TEST_P(ForceLaws, TheInternalForcesAreThoseOfAQuadraticProgram) {
  // min |Wf^(-1/2) f|^2 under J_b' f = (M vdot + h - J_f' f_f)_b, by a general solver, without eq. 6.
  RandomForceProblem random(GetParam());
  const ForceSolution solution = closed_form(random);
  const ForceContact& hand = random.problem.contacts[2];
  BoundedLeastSquaresProblem program(12, 12, 6);
  Eigen::VectorXd found(12);
  for (int i : {0, 1}) {
    const ForceContact& foot = random.problem.contacts[static_cast<std::size_t>(i)];
    program.A.diagonal().segment<6>(6 * i) = foot.weight.cwiseSqrt();
    program.C.middleCols<6>(6 * i) = foot.jacobian.leftCols<6>().transpose();
    found.segment<6>(6 * i) = solution.force[static_cast<std::size_t>(i)];
  }
  program.d = (random.terms.mass_matrix() * solution.acceleration + random.terms.bias()).head<6>() -
              hand.jacobian.leftCols<6>().transpose() * hand.force;
  BoundedLeastSquares solver(12, 12, 6);
  ASSERT_EQ(solver.solve(program), SolveStatus::solved);
  EXPECT_LT((solver.solution().x - found).norm(), 1e-8 * found.norm());
}

TEST_P(ForceLaws, PrioritiesAreStrict) {
  RandomForceProblem random(GetParam());
  const ForceSolution before = closed_form(random);
  const Eigen::VectorXd com = random.problem.levels[0].A * before.acceleration;
  random.problem.levels[1].b *= 100.0;
  const ForceSolution after = closed_form(random);
  EXPECT_LT((random.problem.levels[0].A * after.acceleration - com).norm(), 1e-10);
  EXPECT_LT(random.physics_error(after), 1e-7);  // accelerations are in the hundreds
}

TEST_P(ForceLaws, TheFullLawIsTheClosedFormWhereNoLimitIsActive) {
  RandomForceProblem random(GetParam());
  for (ForceContact& contact : random.problem.contacts) {
    contact.friction = contact.half_length = contact.half_width = contact.twist_radius = 1e6;
  }
  const ForceSolution closed = closed_form(random);
  for (const bool has_limits : {false, true}) {
    FullForceLaw full(random.robot, random.problem, random.problem.as_listed(), has_limits);
    ForceSolution solution(random.problem, random.robot.nv());
    ASSERT_EQ(full.solve(random.terms, random.problem, false, solution), SolveStatus::solved);
    if (full.worst_excess(random.problem, closed).row >= 0) continue;  // it pulls, or exceeds a torque limit
    ForceSolution held = closed;                                       // also with forces drawn to the closed form's
    ASSERT_EQ(full.solve(random.terms, random.problem, true, held), SolveStatus::solved);
    EXPECT_LT((held.torque - closed.torque).norm(), 1e-8);
    EXPECT_LT((solution.torque - closed.torque).norm(), 1e-8);
    EXPECT_LT((solution.acceleration - closed.acceleration).norm(), 1e-8);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT((solution.force[i] - closed.force[i]).norm(), 1e-8);
  }
}

TEST_P(ForceLaws, TheFullLawKeepsEveryLimitAndObeysPhysics) {
  RandomForceProblem random(GetParam());
  random.problem.levels[0].b *= 200.0;  // beyond the limits of the feet
  FullForceLaw full(random.robot, random.problem, random.problem.as_listed(), true);
  ForceSolution solution(random.problem, random.robot.nv());
  EXPECT_GT(full.worst_excess(random.problem, closed_form(random)).amount, 1.0);
  ASSERT_EQ(full.solve(random.terms, random.problem, false, solution), SolveStatus::solved);
  EXPECT_LT(full.worst_excess(random.problem, solution).amount, 1e-7);
  EXPECT_LT(random.physics_error(solution), 1e-8);
  EXPECT_GT(full.motion_residual(0), 1e-3);  // the CoM task is not met
  EXPECT_GE(full.active_limit(), 0);
  EXPECT_FALSE(full.name(random.problem, full.active_limit()).empty());
}

TEST_P(ForceLaws, TheFullLawKeepsJointsFromTheirStops) {
  RandomForceProblem random(GetParam());
  const ForceSolution closed = closed_form(random);
  const Eigen::VectorXd joints = closed.acceleration.tail(random.robot.num_joints());
  random.problem.highest = joints.array().abs() + 100.0;
  random.problem.lowest = -random.problem.highest;
  Eigen::Index fastest = 0;
  const double most = joints.maxCoeff(&fastest);
  random.problem.highest[fastest] = 0.5 * most;
  FullForceLaw full(random.robot, random.problem, random.problem.as_listed(), true);
  ForceSolution solution(random.problem, random.robot.nv());
  ASSERT_EQ(full.solve(random.terms, random.problem, false, solution), SolveStatus::solved);
  EXPECT_LT(solution.acceleration[6 + fastest], 0.5 * most + 1e-8);
  EXPECT_LT(random.physics_error(solution), 1e-8);
  const int row = full.torque_row(random.problem, random.robot.num_joints() + static_cast<int>(fastest));
  EXPECT_EQ(full.name(random.problem, row), "stop of " + random.robot.joints()[static_cast<std::size_t>(fastest)].name);
}

TEST_P(ForceLaws, AContactWithAShareOfOneIsASupportingOneAndTheTorqueFollowsTheShareInAStraightLine) {
  RandomForceProblem random(GetParam());
  const ForceSolution supporting = closed_form(random);
  ForceContact& foot = random.problem.contacts[1];
  foot.role = ContactRole::controlled;
  const auto torque_at = [&](double share) {
    foot.share = share;
    return closed_form(random).torque;
  };
  const Eigen::VectorXd none = torque_at(0.0), all = torque_at(1.0);
  EXPECT_LT((all - supporting.torque).norm(), 1e-9);
  EXPECT_LT((torque_at(0.3) - (0.7 * none + 0.3 * all)).norm(), 1e-9);
  foot.share = 0.0;
  EXPECT_EQ(closed_form(random).force[1].norm(), 0.0);
  EXPECT_LT(random.physics_error(closed_form(random)), 1e-9);
}

TEST_P(ForceLaws, TwoPointFeetHaveSixRowsButNotTheRank) {
  RandomForceProblem random(GetParam(), /*foot_rows=*/3);
  ClosedFormLaw law(random.robot, random.problem, random.problem.as_listed());
  ForceSolution solution(random.problem, random.robot.nv());
  EXPECT_FALSE(law.solve(random.state, random.problem, solution));
  EXPECT_EQ(law.rank(), 5);
  FullForceLaw full(random.robot, random.problem, random.problem.as_listed(), false);
  ASSERT_EQ(full.solve(random.terms, random.problem, false, solution), SolveStatus::solved);
  EXPECT_LT(random.physics_error(solution), 1e-9);
  EXPECT_LT((solution.force[2] - random.problem.contacts[2].force).norm(), 1e-9);  // the force comes before the motion
}

TEST(ContactLimits, AForceWithinAllOfThemIsAdmissible) {
  RandomForceProblem random(0);
  const ForceContact& foot = random.problem.contacts[0];
  Eigen::MatrixXd C(num_limits(foot), 6);
  write_limits(foot, C);
  for (int i = 0; i < 200; ++i) {
    Eigen::VectorXd force = 100.0 * random.random(6);
    force[2] = std::abs(force[2]);
    force.tail(3) *= 0.1;
    for (int row = 0; row < C.rows(); ++row) EXPECT_NEAR((C * force)[row], excess(foot, force, row), 1e-12);
    if ((C * force).maxCoeff() > 0.0) continue;
    EXPECT_LE(force.head(2).norm(), foot.friction * force[2]);
    EXPECT_LE(std::abs(force[4]), foot.half_length * force[2]);
  }
}

}  // namespace
}  // namespace aplomb
