#include "aplomb/identify/uncertainty.hpp"

#include <gtest/gtest.h>

#include <random>

namespace aplomb {
namespace {

TEST(Student, AgreesWithTheTableOfATextbook) {
  EXPECT_NEAR(student_95(1), 12.706, 1e-3);
  EXPECT_NEAR(student_95(5), 2.571, 1e-3);
  EXPECT_NEAR(student_95(30), 2.042, 1e-3);
  EXPECT_NEAR(student_95(1e6), 1.960, 1e-3);
  EXPECT_EQ(student_95(0), std::numeric_limits<double>::infinity());
}

/// Rows that show two of three parameters: the third never enters.
NormalEquations two_of_three(std::mt19937_64& engine, const Eigen::Vector3d& phi, int rows, double noise) {
  std::normal_distribution<double> normal;
  NormalEquations equations(3);
  for (int i = 0; i < rows; ++i) {
    Eigen::Matrix<double, 1, 3> A(normal(engine), normal(engine), 0.0);
    equations.add(A, Eigen::Matrix<double, 1, 1>(A.dot(phi.transpose()) + noise * normal(engine)));
  }
  return equations;
}

TEST(Interval, HoldsTheTruthNineteenTimesOfTwentyWhateverTheStatedNoise) {
  std::mt19937_64 engine(1);
  const Eigen::Vector3d phi(2.0, -1.0, 5.0), combination(1.0, 0.5, 0.0);
  int inside = 0;
  constexpr int kTrials = 4000;
  for (int i = 0; i < kTrials; ++i) {
    // Five rows, an unknown noise: this is where Student differs from Gauss (1.96 would hold it in 86 %).
    const LeastSquares plain = least_squares(two_of_three(engine, phi, 5, 0.3), Eigen::Vector3d::Ones(), 1e-9);
    inside += std::abs(combination.dot(plain.phi - phi)) < interval_95(plain, combination) ? 1 : 0;
  }
  EXPECT_NEAR(inside / static_cast<double>(kTrials), 0.95, 0.012);  // 3.5 deviations of a binomial
}

TEST(Interval, IsInfiniteForAnUnidentifiableCombination) {
  std::mt19937_64 engine(1);
  const LeastSquares plain =
      least_squares(two_of_three(engine, Eigen::Vector3d::Ones(), 20, 0.1), Eigen::Vector3d::Ones(), 1e-9);
  EXPECT_EQ(plain.rank, 2);
  EXPECT_TRUE(std::isinf(interval_95(plain, Eigen::Vector3d(0, 0, 1))));
  EXPECT_TRUE(std::isinf(interval_95(plain, Eigen::Vector3d(1, 0, 0.1))));
  EXPECT_TRUE(std::isfinite(interval_95(plain, Eigen::Vector3d(1, 1, 0))));
}

TEST(Interval, IsFiniteForEveryBaseParameter) {
  // Singular values fall by and by, so that where "seen" ends is a matter of the tolerance: the base must end there
  // too.
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  NormalEquations equations(6);
  Eigen::MatrixXd mix(6, 6);
  for (double& value : mix.reshaped()) value = normal(engine);
  for (int i = 0; i < 50; ++i) {
    Eigen::Matrix<double, 1, 6> A;
    for (int k = 0; k < 6; ++k) A[k] = std::pow(10.0, -k) * normal(engine);
    A = (A * mix).eval();
    equations.add(A, Eigen::Matrix<double, 1, 1>(normal(engine)));
  }
  const LeastSquares plain = least_squares(equations, Eigen::VectorXd::Ones(6), 5e-3);
  ASSERT_GT(plain.rank, 1);
  ASSERT_LT(plain.rank, 6);
  const BaseParameters base = base_parameters(plain.seen_rows, {"a", "b", "c", "d", "e", "f"});
  ASSERT_EQ(base.rank, plain.rank);
  for (int i = 0; i < base.rank; ++i) {
    EXPECT_TRUE(std::isfinite(interval_95(plain, base.combination.row(i).transpose())))
        << base.names[static_cast<std::size_t>(i)];
  }
}

TEST(ComCovariance, IsTheSpreadOfTheComOverManySessions) {
  // A robot of two masses at known places: c_x = (m1 x1 + m2 x2) / (m1 + m2), c_y likewise; each mass is weighed.
  StaticProblem problem;
  problem.cad = Eigen::Vector2d(3.0, 2.0);
  problem.mass = Eigen::RowVector2d(1.0, 1.0);
  const Eigen::Matrix2d moments = (Eigen::Matrix2d() << 0.1, -0.2, 0.3, 0.1).finished();
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero(), predicted = Eigen::Matrix2d::Zero();
  constexpr int kSessions = 3000;
  const Eigen::Vector2d true_com = moments * problem.cad / 5.0;
  for (int i = 0; i < kSessions; ++i) {
    NormalEquations equations(2);
    for (int k = 0; k < 40; ++k) {
      const Eigen::RowVector2d A(normal(engine), normal(engine));
      equations.add(A, Eigen::Matrix<double, 1, 1>(A.dot(problem.cad.transpose()) + 0.05 * normal(engine)));
    }
    const LeastSquares plain = least_squares(equations, Eigen::Vector2d::Ones(), 1e-9);
    const Eigen::Vector2d error = moments * plain.phi / plain.phi.sum() - true_com;
    spread += error * error.transpose() / kSessions;
    predicted += com_covariance(problem, plain, plain.phi, moments) / kSessions;
  }
  EXPECT_LT((spread - predicted).norm(), 0.1 * predicted.norm());
}

TEST(BaseParameters, SpanTheSameSpaceAsTheRows) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd W(30, 5);
  for (double& value : W.reshaped()) value = normal(engine);
  W.col(3) = 2.0 * W.col(0) - 0.5 * W.col(1);  // d is seen only together with a and b
  W.col(4).setZero();                          // e is not seen at all
  const BaseParameters base = base_parameters(W, {"a", "b", "c", "d", "e"});
  ASSERT_EQ(base.rank, 3);
  Eigen::MatrixXd pivots(30, 3);
  for (int i = 0; i < 3; ++i) pivots.col(i) = W.col(base.pivots[static_cast<std::size_t>(i)]);
  EXPECT_LT((pivots * base.combination - W).norm(), 1e-12);
  for (const std::string& name : base.names) EXPECT_EQ(name.find('e'), std::string::npos) << name;
}

TEST(BaseParameters, ARoundingErrorIsNoParameterThatIsSeen) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd W(30, 4);
  for (double& value : W.reshaped()) value = normal(engine);
  W.col(2) = 2.0 * W.col(0);
  W.col(3) *= 1e-13;  // as a projection leaves a column of zeros
  const BaseParameters base = base_parameters(W, {"a", "b", "c", "d"});
  EXPECT_EQ(base.rank, 2);
  EXPECT_LT(base.combination.cwiseAbs().maxCoeff(), 3.0);
  for (const std::string& name : base.names) EXPECT_EQ(name.find('d'), std::string::npos) << name;
}

}  // namespace
}  // namespace aplomb
