#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace aplomb {

/// Least squares in strict order on a chosen set of columns: first |C p − e|², then |W p − r|² among its minimisers.
/// Pivoted QR of the columns of C splits them into basic ones, which meet C, and the rest; the basic ones are
/// eliminated from W (direct elimination), and what is left of W is factored by pivoted QR. A column that depends on
/// those before it, to `kDependent` of its length, is left out: its p is zero.
class FreeSetFactor {
 public:
  /// Relative independent part of a column below which it counts as rounding. Dropping the column then changes the
  /// optimality conditions by no more than this fraction.
  static constexpr double kDependent = 1e-11;

  FreeSetFactor(int equality_rows, int rows, int columns);

  void factor(const Eigen::Ref<const Eigen::MatrixXd>& C, const Eigen::Ref<const Eigen::MatrixXd>& W,
              std::span<const int> columns);

  /// p has an entry for every column of C and W, zero where not basic. e and r are overwritten.
  void solve(Eigen::VectorXd& e, Eigen::VectorXd& r, Eigen::VectorXd& p);

  /// The mu with c_jᵀ mu = gradient_j on the columns that are basic in C.
  void equality_multipliers(const Eigen::VectorXd& gradient, Eigen::VectorXd& mu);

  /// The columns in use; the first `equality_rank()` are basic in C.
  std::span<const int> basic() const { return {order_.data(), static_cast<std::size_t>(equality_rank_ + rank_)}; }
  int equality_rank() const { return equality_rank_; }
  int rank() const { return equality_rank_ + rank_; }
  /// Length of a basic column before reduction: in C for those basic in C, in W for the rest.
  double length(int position) const { return length_[position]; }

 private:
  void eliminate_basic();
  int pivoted_qr(Eigen::MatrixXd& matrix, Eigen::VectorXd& tau, int rows, int first);
  void swap_columns(int a, int b);

  int count_ = 0;  ///< columns given
  int rows_ = 0;   ///< rows of W in use
  int equality_rank_ = 0;
  int rank_ = 0;
  Eigen::MatrixXd equality_;   ///< QR of C's columns; right of its triangle R₁₁⁻¹ R₁₂
  Eigen::MatrixXd objective_;  ///< W's basic columns unchanged, then QR of the rest after the elimination
  Eigen::VectorXd equality_tau_;
  Eigen::VectorXd objective_tau_;
  Eigen::VectorXd length_;     ///< length of each column before reduction
  Eigen::VectorXd remaining_;  ///< squared length remaining after the reflectors so far
  Eigen::VectorXd scratch_;
  std::vector<int> order_;
};

}  // namespace aplomb
