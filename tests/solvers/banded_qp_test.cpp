#include "aplomb/solvers/banded_qp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

namespace aplomb {
namespace {

Eigen::MatrixXd random_matrix(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

/// A chain of stages: each pair of neighbours shares costs and limits.
BandedQp random_problem(unsigned seed, int stages, int size, double room) {
  std::mt19937_64 engine(seed);
  BandedQp qp;
  const Eigen::Index n = stages * size;
  qp.hessian = BandedMatrix(n, 2 * size - 1);
  qp.gradient = random_matrix(engine, n, 1);
  for (int k = 0; k + 1 < stages; ++k) {
    const Eigen::MatrixXd A = random_matrix(engine, size, 2 * size);
    qp.hessian.block(k * size, k * size, 2 * size, 2 * size).selfadjointView<Eigen::Lower>().rankUpdate(A.transpose());
    BandedQp::Rows rows;
    rows.begin = k * size;
    rows.G = random_matrix(engine, size, 2 * size);
    rows.h = room * random_matrix(engine, size, 1).cwiseAbs();
    rows.price = Eigen::VectorXd::Constant(size, 100.0);
    qp.rows.push_back(rows);
  }
  for (Eigen::Index i = 0; i < n; ++i) qp.hessian(i, i) += 0.1;
  return qp;
}

Eigen::MatrixXd dense(const BandedMatrix& banded) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(banded.size(), banded.size());
  for (Eigen::Index j = 0; j < banded.size(); ++j) {
    for (Eigen::Index i = j; i < std::min(banded.size(), j + banded.half_band() + 1); ++i) {
      full(i, j) = full(j, i) = banded(i, j);
    }
  }
  return full;
}

TEST(BandedMatrix, MultipliesAndSolvesAsTheDenseMatrixDoes) {
  for (int size : {1, 5, 17}) {
    for (int stages : {2, 9, 40}) {
      BandedQp qp = random_problem(7, stages, size, 1.0);
      const Eigen::MatrixXd full = dense(qp.hessian);
      std::mt19937_64 engine(8);
      const Eigen::VectorXd b = random_matrix(engine, full.rows(), 1);
      Eigen::VectorXd product;
      qp.hessian.multiply(b, product);
      EXPECT_LT((product - full * b).cwiseAbs().maxCoeff(), 1e-12 * full.norm() * b.norm());
      Eigen::VectorXd solution = b;
      ASSERT_TRUE(qp.hessian.factorise());
      qp.hessian.solve(solution);
      EXPECT_LT((full * solution - b).norm(), 1e-9 * b.norm()) << size << " " << stages;
    }
  }
}

TEST(BandedMatrix, IsNotFactorisedUnlessPositiveDefinite) {
  BandedMatrix matrix(50, 3);
  for (Eigen::Index i = 0; i < 50; ++i) matrix(i, i) = i == 37 ? -1.0 : 1.0;
  EXPECT_FALSE(matrix.factorise());
}

TEST(BandedQp, SatisfiesTheOptimalityConditions) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    BandedQp qp = random_problem(seed, 12, 6, seed % 2 == 0 ? 0.05 : 1.0);
    ASSERT_EQ(qp.solve({.gap = 1e-8}), SolveStatus::solved);
    const Eigen::VectorXd& x = qp.solution();
    Eigen::VectorXd stationarity = dense(qp.hessian) * x + qp.gradient;
    int active = 0;
    for (std::size_t g = 0; g < qp.rows.size(); ++g) {
      const BandedQp::Rows& rows = qp.rows[g];
      const Eigen::VectorXd &z = qp.multipliers()[g], &t = qp.violations()[g];
      stationarity.segment(rows.begin, rows.G.cols()) += rows.G.transpose() * z;
      const Eigen::VectorXd slack = rows.h - rows.G * x.segment(rows.begin, rows.G.cols());
      for (Eigen::Index i = 0; i < z.size(); ++i) {
        EXPECT_GE(slack[i] + t[i], -1e-6);
        EXPECT_GE(z[i], 0.0);
        EXPECT_LE(z[i], rows.price[i]);
        EXPECT_LT(z[i] * std::abs(slack[i] + t[i]), 1e-6);  // a multiplier only where the limit acts
        EXPECT_LT((rows.price[i] - z[i]) * t[i], 1e-6);     // a violation only at its full price
        active += z[i] > 1e-4 ? 1 : 0;
      }
    }
    EXPECT_LT(stationarity.cwiseAbs().maxCoeff(), 1e-5) << seed;
    EXPECT_GT(active, 5) << seed;
  }
}

TEST(BandedQp, PaysForALimitThatCannotBeKept) {
  // x ≤ −1 and −x ≤ −1 contradict each other: the dearer one is kept.
  BandedQp qp;
  qp.hessian = BandedMatrix(1, 0);
  qp.hessian(0, 0) = 1e-3;
  qp.gradient = Eigen::VectorXd::Zero(1);
  BandedQp::Rows rows;
  rows.G.resize(2, 1);
  rows.G << 1.0, -1.0;
  rows.h = Eigen::Vector2d(-1.0, -1.0);
  rows.price = Eigen::Vector2d(10.0, 1.0);
  qp.rows.push_back(rows);
  ASSERT_EQ(qp.solve({}), SolveStatus::solved);
  EXPECT_NEAR(qp.solution()[0], -1.0, 1e-5);
  EXPECT_NEAR(qp.violations()[0][1], 2.0, 1e-5);
  EXPECT_NEAR(qp.violations()[0][0], 0.0, 1e-5);
}

TEST(BandedQp, TakesLinearlyMoreTimeForALongerChain) {
  // Counted, not timed: the number of iterations hardly grows, and an iteration is linear in the length.
  int iterations[2];
  for (int k = 0; k < 2; ++k) {
    BandedQp qp = random_problem(3, k == 0 ? 20 : 200, 6, 0.2);
    ASSERT_EQ(qp.solve({}), SolveStatus::solved);
    iterations[k] = qp.iterations();
  }
  EXPECT_LE(iterations[1], iterations[0] + 8);
}

}  // namespace
}  // namespace aplomb
