#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "aplomb/solvers/bounded_least_squares.hpp"
#include "aplomb/solvers/least_squares/free_set_factor.hpp"
#include "aplomb/solvers/least_squares/stacked_rows.hpp"

namespace aplomb {

/// Exact method for every legal problem: a primal active set with orthogonal factors only.
///
/// 1. The rows A and D are stacked and, where there are more than columns, reduced to a triangle.
/// 2. Prediction: all variables outside their bounds are put on them, all with a wrong multiplier are freed, and the
///    free ones solved for, repeatedly while the number of such errors falls (block pivoting).
/// 3. Where that does not end: Lawson and Hanson's method with two bounds (Stark and Parker 1995), one variable freed
///    at a time. Equalities come first at every comparison: of errors, of multipliers, of progress.
/// Anti-cycling: every step of 3 lowers (|C x − d|², objective) in that order. A variable that was freed and did not
/// lower it is barred until another one has.
class PrimalActiveSet {
 public:
  PrimalActiveSet(int rows, int columns, int equality_rows);

  /// Starts, if warm, from the active set in `solution.state`; overwrites `solution`.
  SolveStatus solve(const BoundedLeastSquaresProblem& problem, bool is_warm, BoundedLeastSquaresSolution& solution);

 private:
  struct Descent {
    int direction = 0;      ///< +1: x should grow, −1: shrink, 0: optimal
    int level = 0;          ///< 2: derivative of |C x − d|², 1: of the objective
    double strength = 0.0;  ///< normalised derivative
    bool beats(const Descent& other) const {
      return level > other.level || (level == other.level && strength > other.strength);
    }
  };

  void start(bool is_warm, const BoundedLeastSquaresSolution& solution);
  bool predict();
  int exchange();
  SolveStatus descend();
  bool try_to_free(int entering);
  bool settle(bool has_step);
  bool move_along_step();
  double moved(int variable, double length) const;
  int choose_entering() const;
  SolveStatus judge() const;
  void factor_free();
  void compute_step();
  void compute_pulls();
  void refine();
  Descent descent(int variable) const;
  bool can_improve(int variable) const;
  void write(BoundedLeastSquaresSolution& solution) const;
  double lower(int i) const { return problem_->lower[i]; }
  double upper(int i) const { return problem_->upper[i]; }
  bool is_out(int i) const { return x_[i] < lower(i) || x_[i] > upper(i); }
  bool is_inside(int i) const { return x_[i] > lower(i) && x_[i] < upper(i); }

  const BoundedLeastSquaresProblem* problem_ = nullptr;
  int columns_;
  int max_iterations_;
  int iterations_ = 0;
  StackedRows rows_;
  Eigen::VectorXd x_;
  std::vector<char> is_free_;
  std::vector<char> is_barred_;
  std::vector<char> is_held_;  ///< held at its bound by the equalities, see try_to_free()
  std::vector<int> free_;      ///< scratch: the free variables by index
  FreeSetFactor factor_;
  Eigen::VectorXd step_;
  Eigen::VectorXd e_, r_;                  ///< d − C x, c − W x
  Eigen::VectorXd e_scratch_, r_scratch_;  ///< consumed by the factor
  Eigen::VectorXd equality_pull_;          ///< Cᵀ e
  Eigen::VectorXd pull_;                   ///< Wᵀ r − Cᵀ μ, the negative gradient of the Lagrangian
  Eigen::VectorXd mu_;
  double equality_terms_ = 0.0;  ///< magnitude of the terms that cancel in e: the scale of its rounding
  double objective_terms_ = 0.0;
  double tied_terms_ = 0.0;  ///< objective_terms_, and the rounding that equalities add to it
  double mu_terms_ = 0.0;
  bool has_progressed_ = false;
};

}  // namespace aplomb
