#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "aplomb/retarget/frames/tree_factor.hpp"

namespace aplomb {

enum class RowKind { off, equal, at_least };

/// A quadratic program over the small motions of a kinematic tree,
///   min ½ sᵀH s + gᵀs + Σ r²/(2 ε),   E s + c = r  (equal)  or  E s + c ≥ r  (at_least),   lower ≤ s ≤ upper,
/// H with the sparsity of the tree and positive definite on the free columns. ε, the softness of a row, is so small
/// that r is negligible when the rows can be met; when they cannot, those with the largest ε are violated, by r. The
/// multiplier is λ = r/ε. Solved by a primal-dual active set, warm-started from the previous one. Never allocates.
class TreeProblem {
 public:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  TreeProblem(const TreeColumns& columns, int num_rows);

  TreeMatrix hessian;
  Eigen::VectorXd gradient;
  RowMatrix rows;                ///< E, one row each
  Eigen::VectorXd row_value;     ///< c
  Eigen::VectorXd row_softness;  ///< ε
  std::vector<RowKind> row_kind;
  Eigen::VectorXd lower, upper;  ///< bounds of s; infinite where there is none

  /// False when the Hessian is not positive definite.
  bool solve();
  const Eigen::VectorXd& step() const { return step_; }
  const Eigen::VectorXd& multipliers() const { return multipliers_; }  ///< λ, zero for inactive rows
  /// −1 and 1: the column is at its lower and upper bound; 0: it is free.
  const std::vector<char>& held() const { return held_; }
  int working_sets() const { return working_sets_; }  ///< number tried by the last solve
  void forget();                                      ///< makes the next solve a cold start

 private:
  /// Which corrections are made to the working set: all, only the first, or only additions.
  enum class Changes { all, first, hold };

  bool solve_working_set();
  void write_schur();
  bool revise();
  bool revise_bounds();

  TreeFactor factor_;
  std::vector<char> held_, acts_;
  Eigen::MatrixXd along_;  ///< L⁻ᵀEᵀ
  Eigen::MatrixXd schur_;
  Eigen::LLT<Eigen::MatrixXd> schur_factor_;
  Eigen::VectorXd step_, fixed_, multipliers_, work_, residual_;
  int working_sets_ = 0;
  Changes changes_ = Changes::all;
};

}  // namespace aplomb
