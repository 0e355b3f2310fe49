#pragma once

#include <Eigen/Core>
#include <vector>

namespace aplomb {

/// Complete orthogonal decompositions of the levels of a hierarchy, each in the null space of those above:
///   (rows of level k) Q = (B_k  L_k  0),
/// B_k on the columns that the levels above decide about, L_k of full column rank on this level's own. Every reflector
/// of Q is applied to all rows below at once, so that the cost falls with the space that is left. With z = Qᵀ x the
/// hierarchy is solved from the top by substitution:   z_k = argmin |L_k z_k − (rhs_k − B_k z_above)|.
class HierarchyFactor {
 public:
  HierarchyFactor(int columns, int max_rows, int num_levels);

  void clear();
  /// Rows appended from here on belong to a new level; `scale` is its longest row, the unit of its rounding.
  void start_level(double scale);
  void append_equalities(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
  void append_bound(const Eigen::MatrixXd& C, Eigen::Index row, double bound, int id);
  /// Appends the rows weight · (column `i` of `directions`) · x = 0 for i < count.
  void append_damping(const Eigen::MatrixXd& directions, int count, double weight);

  double rhs_norm(int level) const { return rhs_.segment(levels_[level].first_row, levels_[level].num_rows).norm(); }

  void factor();
  void solve(Eigen::VectorXd& x);

  /// Multipliers of all rows above `level` for it: (its rows)ᵀ residual + Σ (rows above)ᵀ multipliers = 0. The level
  /// after the last one is x = 0, which selects the shortest x. Calls visit(id, multiplier) for the appended bounds.
  /// Requires solve().
  template <typename Visit>
  void visit_multipliers(int level, const Visit& visit);

  /// False when the level met all its rows: then its multipliers are zero as well.
  bool has_residual(int level) const { return level == num_levels_ || !levels_[level].is_triangular; }
  int num_rows() const { return num_rows_; }
  int rank(int level) const { return levels_[level].rank; }

  /// An upper bound for the smallest singular value of L_k, seldom more than a hundred times too large. Requires
  /// factor().
  double smallest_pivot(int level) const;
  /// The smallest singular value itself, and its direction in x.
  double smallest_singular_value(int level, Eigen::VectorXd& direction);
  /// Orthonormal directions in x that the level decides about, as the first `rank` columns.
  void write_directions(int level, Eigen::MatrixXd& directions) const;
  /// Squared length of the part of `direction` that no level up to this one decides about.
  double undecided_part(int level, const Eigen::VectorXd& direction);

 private:
  struct Level {
    int first_row = 0;
    int num_rows = 0;
    int first_column = 0;
    int rank = 0;
    double scale = 0.0;
    bool is_triangular = true;  ///< L is square and used unchanged; else its QR is in `small_`
  };

  int reduce_rows(const Level& level);
  int choose_pivot(const Level& level, int step, int column);
  void swap_rows(int a, int b);
  void apply_to_rows_below(int column, int first_row);
  void factor_small(const Level& level);
  void solve_small(const Level& level, double* rhs) const;
  void solve_small_transposed(const Level& level, double* rhs) const;
  void compute_multipliers(int level);
  void to_x(int count, double* vector) const;
  /// First entry of L_k in `rows_`, and of its QR in `small_`.
  const double* triangle(const Level& level) const {
    return rows_.data() + level.first_column * rows_.rows() + level.first_row;
  }
  const double* small_triangle(const Level& level) const { return small_.data() + level.first_column * small_.rows(); }

  int columns_;
  int num_rows_ = 0;
  int num_levels_ = 0;
  int num_decided_ = 0;  ///< columns that the levels decide about
  std::vector<Level> levels_;
  Eigen::MatrixXd rows_;  ///< appended rows, multiplied by Q in factor(); max_rows × columns
  Eigen::VectorXd rhs_;
  std::vector<int> ids_;        ///< id of the row's bound; −1: equality
  Eigen::MatrixXd reflectors_;  ///< column i: reflector i, from its first entry (1) at row i on
  Eigen::VectorXd tau_;
  Eigen::MatrixXd small_;  ///< QR of L_k, in the level's own columns
  Eigen::VectorXd small_tau_;
  Eigen::VectorXd z_;
  Eigen::VectorXd decided_;      ///< the z of solve()
  Eigen::VectorXd work_;         ///< max_rows
  Eigen::VectorXd residual_;     ///< rows times x − rhs, by row as ordered
  Eigen::VectorXd multipliers_;  ///< by row as ordered
  Eigen::VectorXd gradient_;
  Eigen::VectorXd remaining_;  ///< by row: squared length of its remainder
  Eigen::VectorXd reference_;  ///< the value of remaining_ when last recomputed
};

template <typename Visit>
void HierarchyFactor::visit_multipliers(int level, const Visit& visit) {
  compute_multipliers(level);
  const int rows_above = level == num_levels_ ? num_rows_ : levels_[level].first_row;
  for (int row = 0; row < rows_above; ++row) {
    if (ids_[row] >= 0) visit(ids_[row], multipliers_[row]);
  }
}

}  // namespace aplomb
