#pragma once

#include <Eigen/Core>
#include <vector>

namespace aplomb {

/// Complete orthogonal decompositions of the levels of a hierarchy, one within the null space of the other:
///   (rows of level k) Q = (B_k  L_k  0),
/// B_k on the columns that the levels above decide about, L_k of full column rank on this level's own. Every reflector
/// of Q is applied to all rows below at once, so that the cost falls with the space that is left. With z = Qᵀ x the
/// hierarchy is solved from the top by substitution:   z_k = argmin |L_k z_k − (rhs_k − B_k z_above)|.
class HierarchyFactor {
 public:
  HierarchyFactor(int columns, int max_rows, int num_levels, double rank_tolerance);

  void clear();
  /// Whether the next factors use at least the damping of the last ones.
  void keep_damping(bool is_kept) { is_damping_kept_ = is_kept; }
  /// Rows appended from here on belong to a new level. `scale`: its longest row, the unit of its singular values.
  /// `held_direction`, if any, is kept from the levels below even if no row asks for it.
  void start_level(double scale, const Eigen::VectorXd* held_direction);
  void append_equalities(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
  void append_bound(const Eigen::MatrixXd& C, Eigen::Index row, double bound, int id);

  double rhs_norm(int level) const { return rhs_.segment(levels_[level].first_row, levels_[level].num_rows).norm(); }

  void factor();
  void solve(Eigen::VectorXd& x);

  /// Multipliers of all rows above `level` for it: (its rows)ᵀ residual + Σ (rows above)ᵀ multipliers = 0.
  /// Calls visit(id, multiplier) for the appended bounds. After solve().
  template <typename Visit>
  void visit_multipliers(int level, const Visit& visit);

  /// (its rows) · residual: zero when the level met all its rows, and then its multipliers are zero as well.
  bool has_residual(int level) const;
  int rank(int level) const { return levels_[level].rank; }
  double damping(int level) const { return levels_[level].damping; }
  bool has_damping() const;
  bool holds_direction(int level) const { return levels_[level].num_held > 0; }
  /// The direction of the smallest singular value, in x; only of a damped level.
  void weak_direction(int level, Eigen::VectorXd& direction) const;

 private:
  struct Level {
    int first_row = 0;
    int num_rows = 0;
    int first_column = 0;
    int rank = 0;
    int num_held = 0;
    double scale = 0.0;
    double damping = 0.0;
    double least_damping = 0.0;
    bool is_triangular = true;  ///< L is square and used as it is; else its QR is in `small_`
    const Eigen::VectorXd* held_direction = nullptr;
  };

  void factor_level(Level& level);
  int reduce_rows(const Level& level);
  int choose_pivot(const Level& level, int step, int column);
  void swap_rows(int a, int b);
  void apply_to_rows_below(int column, int first_row);
  void hold(Level& level);
  void factor_small(Level& level, double damping);
  double smallest_singular_value(const Level& level);
  void solve_small(const Level& level, double* rhs) const;
  void solve_small_transposed(const Level& level, double* rhs) const;
  void compute_multipliers(int level);
  /// Where L_k begins in `rows_`, and its QR in `small_`.
  const double* triangle(const Level& level) const {
    return rows_.data() + level.first_column * rows_.rows() + level.first_row;
  }
  const double* small_triangle(const Level& level) const { return small_.data() + level.first_column * small_.rows(); }

  int columns_;
  double rank_tolerance_;
  bool is_damping_kept_ = false;
  int num_rows_ = 0;
  int num_levels_ = 0;
  int num_decided_ = 0;  ///< columns that the levels decide about
  std::vector<Level> levels_;
  Eigen::MatrixXd rows_;  ///< appended rows, then times Q; max_rows × columns
  Eigen::VectorXd rhs_;
  std::vector<int> ids_;        ///< of the bound, −1: equality
  Eigen::MatrixXd reflectors_;  ///< column i: reflector i, from its first entry (1) at row i on
  Eigen::VectorXd tau_;
  Eigen::MatrixXd small_;  ///< QR of L_k, or of (L_k; damping I), in the level's own columns
  Eigen::VectorXd small_tau_;
  Eigen::MatrixXd weak_;  ///< column: in the level's first column, its weak direction in z_k
  Eigen::VectorXd z_;
  Eigen::VectorXd work_;         ///< max_rows + columns
  Eigen::VectorXd residual_;     ///< rows times x − rhs, by row as ordered
  Eigen::VectorXd multipliers_;  ///< by row as ordered
  Eigen::VectorXd gradient_;
  Eigen::VectorXd remaining_;  ///< by row: squared length of what is left of it
  Eigen::VectorXd reference_;  ///< the value of remaining_ when last computed afresh
};

template <typename Visit>
void HierarchyFactor::visit_multipliers(int level, const Visit& visit) {
  compute_multipliers(level);
  for (int row = 0; row < levels_[level].first_row; ++row) {
    if (ids_[row] >= 0) visit(ids_[row], multipliers_[row]);
  }
}

}  // namespace aplomb
