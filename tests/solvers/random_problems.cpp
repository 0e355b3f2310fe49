#include "solvers/random_problems.hpp"

#include <array>
#include <functional>
#include <limits>

#include "solvers/random_source.hpp"

namespace aplomb::test {
namespace {

using Problem = BoundedLeastSquaresProblem;

void nothing(Problem&, RandomSource&) {}

void zero_columns(Problem& problem, RandomSource& random) {
  for (Eigen::Index i = 0; i < problem.A.cols(); ++i) {
    if (!random.chance(3)) continue;
    problem.A.col(i).setZero();
    problem.C.col(i).setZero();
  }
}

void repeated_columns(Problem& problem, RandomSource& random) {
  const bool also_in_equalities = random.chance(2);
  for (int i = 1; i < problem.A.cols(); ++i) {
    if (!random.chance(3)) continue;
    const int other = random.integer(0, i - 1);
    problem.A.col(i) = problem.A.col(other);
    if (also_in_equalities) problem.C.col(i) = problem.C.col(other);
  }
}

void column_scales(Problem& problem, RandomSource& random) {
  for (Eigen::Index i = 0; i < problem.A.cols(); ++i) {
    const double scale = random.power_of_ten(-6, 6);
    problem.A.col(i) *= scale;
    problem.C.col(i) *= scale;
  }
}

void row_scales(Problem& problem, RandomSource& random) {
  for (Eigen::Index i = 0; i < problem.A.rows(); ++i) {
    const double scale = random.power_of_ten(-6, 6);
    problem.A.row(i) *= scale;
    problem.b[i] *= scale;
  }
}

/// Ties everywhere: many variables reach their bounds at once, many derivatives are exactly zero.
void small_integers(Problem& problem, RandomSource& random) {
  for (Eigen::MatrixXd* matrix : {&problem.A, &problem.C}) {
    for (Eigen::Index i = 0; i < matrix->size(); ++i) matrix->data()[i] = random.integer(-1, 1);
  }
  for (Eigen::VectorXd* vector : {&problem.b, &problem.d}) {
    for (Eigen::Index i = 0; i < vector->size(); ++i) (*vector)[i] = random.integer(-2, 2);
  }
  problem.lower.setZero();
  for (Eigen::Index i = 0; i < problem.upper.size(); ++i) {
    problem.upper[i] = random.chance(2) ? 1.0 : std::numeric_limits<double>::infinity();
  }
}

void dependent_equalities(Problem& problem, RandomSource& random) {
  for (int i = 1; i < problem.C.rows(); ++i) {
    const int other = random.integer(0, i - 1);
    const double factor = random.chance(2) ? 1.0 : random.normal();
    problem.C.row(i) = factor * problem.C.row(other);
    if (random.chance(2)) problem.d[i] = factor * problem.d[other];  // redundant; else contradictory
  }
}

void nearly_dependent_columns(Problem& problem, RandomSource& random) {
  for (int i = 1; i < problem.A.cols(); ++i) {
    if (!random.chance(2)) continue;
    problem.A.col(i) = problem.A.col(0) + random.power_of_ten(-15, -2) * problem.A.col(i);
    problem.C.col(i) = problem.C.col(0) + random.power_of_ten(-4, -1) * problem.C.col(i);
  }
}

void zero_right_hand_sides(Problem& problem, RandomSource&) {
  problem.b.setZero();
  problem.d.setZero();
  problem.x0.setZero();
}

void non_negative_without_regulariser(Problem& problem, RandomSource&) {
  problem.lower.setZero();
  problem.upper.setConstant(std::numeric_limits<double>::infinity());
  problem.D.setZero();
}

void fixed_variables(Problem& problem, RandomSource& random) {
  for (Eigen::Index i = 0; i < problem.lower.size(); ++i) {
    if (random.chance(2)) problem.lower[i] = problem.upper[i] = random.normal();
  }
}

void extreme_units(Problem& problem, RandomSource& random) {
  const double rows = random.power_of_ten(-25, 25);
  const double equalities = random.power_of_ten(-25, 25);
  problem.A *= rows;
  problem.b *= rows;
  problem.D *= rows;
  problem.C *= equalities;
  problem.d *= equalities;
}

struct Trouble {
  const char* name;
  void (*make)(Problem&, RandomSource&);
};

constexpr std::array kTroubles = {
    Trouble{"none", nothing},
    Trouble{"zero columns", zero_columns},
    Trouble{"repeated columns", repeated_columns},
    Trouble{"column scales", column_scales},
    Trouble{"row scales", row_scales},
    Trouble{"small integers", small_integers},
    Trouble{"dependent equalities", dependent_equalities},
    Trouble{"nearly dependent columns", nearly_dependent_columns},
    Trouble{"zero right-hand sides", zero_right_hand_sides},
    Trouble{"non-negative, no regulariser", non_negative_without_regulariser},
    Trouble{"fixed variables", fixed_variables},
    Trouble{"extreme units", extreme_units},
};

void make_regulariser(Problem& problem, RandomSource& random) {
  const int kind = random.integer(0, 4);
  for (Eigen::Index i = 0; i < problem.D.size(); ++i) {
    problem.D[i] = kind == 0   ? 0.0
                   : kind == 1 ? 0.1
                   : kind == 2 ? random.power_of_ten(-8, 1)
                   : kind == 3 ? (random.chance(2) ? 0.0 : 1.0)
                               : 1e-3;
  }
}

void make_bounds(Problem& problem, RandomSource& random) {
  for (Eigen::Index i = 0; i < problem.lower.size(); ++i) {
    const int kind = random.integer(0, 5);  // none, x ≥ 0, x ≥ l, x ≤ u, two of them (twice as often)
    if (kind == 1) problem.lower[i] = 0.0;
    if (kind == 2 || kind >= 4) problem.lower[i] = random.normal();
    if (kind == 3) problem.upper[i] = random.normal();
    if (kind >= 4) problem.upper[i] = problem.lower[i] + std::abs(random.normal());
  }
}

}  // namespace

BoundedLeastSquaresProblem random_problem(std::uint64_t index) {
  RandomSource random(index);
  const bool is_large = index % 50 == 0;
  const int rows = random.integer(0, is_large ? 40 : 12);
  const int columns = random.integer(1, is_large ? 40 : 16);
  const int equalities = random.chance(3) ? random.integer(1, 6) : 0;
  return random_problem(index, rows, columns, equalities);
}

BoundedLeastSquaresProblem random_problem(std::uint64_t index, int rows, int columns, int equalities) {
  RandomSource random(~index);
  Problem problem(rows, columns, equalities);
  random.fill(problem.A);
  random.fill(problem.b);
  random.fill(problem.C);
  random.fill(problem.d);
  random.fill(problem.x0);
  make_regulariser(problem, random);
  make_bounds(problem, random);
  kTroubles[index % kTroubles.size()].make(problem, random);
  return problem;
}

const char* trouble_of(std::uint64_t index) { return kTroubles[index % kTroubles.size()].name; }

double objective(const BoundedLeastSquaresProblem& problem, const Eigen::VectorXd& x) {
  return (problem.A * x - problem.b).squaredNorm() + problem.D.cwiseProduct(x - problem.x0).squaredNorm();
}

}  // namespace aplomb::test
