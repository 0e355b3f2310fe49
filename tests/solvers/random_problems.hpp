#pragma once

#include <cstdint>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb::test {

/// Problem `index` of an endless list of all sorts: up to 12 rows, 16 columns and 6 equalities (every fiftieth up to
/// 40 × 40), with every kind of bound, of regulariser and of degeneracy that is legal.
BoundedLeastSquaresProblem random_problem(std::uint64_t index);

/// The same of one size.
BoundedLeastSquaresProblem random_problem(std::uint64_t index, int rows, int columns, int equalities);

/// What kind of trouble problem `index` has, for a failed test's message.
const char* trouble_of(std::uint64_t index);

/// |A x − b|² + |D (x − x0)|²
double objective(const BoundedLeastSquaresProblem& problem, const Eigen::VectorXd& x);

}  // namespace aplomb::test
