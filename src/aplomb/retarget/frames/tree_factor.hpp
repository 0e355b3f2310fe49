#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// Columns of the small motions of a kinematic tree: six of the base, each the parent of the next, then one per joint.
/// The path of a column lists its ancestors, from the first column down to itself; it begins with its parent's path.
class TreeColumns {
 public:
  explicit TreeColumns(const TreeKinematics& tree);

  int size() const { return static_cast<int>(begin_.size()); }
  int depth(int column) const { return depth_[static_cast<std::size_t>(column)]; }  ///< number of ancestors
  /// Index of the first value of its row.
  std::size_t begin(int column) const { return begin_[static_cast<std::size_t>(column)]; }
  const int* path(int column) const { return path_.data() + begin(column); }  ///< depth + 1 columns
  std::size_t num_values() const { return path_.size(); }

 private:
  std::vector<std::size_t> begin_;
  std::vector<int> depth_, path_;
};

/// A symmetric matrix whose entries are zero unless one column is an ancestor of the other, like a mass matrix: the row
/// of a column holds the values along its path.
class TreeMatrix {
 public:
  explicit TreeMatrix(const TreeColumns& columns);  ///< `columns` must outlive this object

  void assign(const Eigen::MatrixXd& lower);  ///< takes the entries of the paths from the lower triangle
  double* row(int column) { return values_.data() + columns_->begin(column); }
  const double* row(int column) const { return values_.data() + columns_->begin(column); }
  void add_to_diagonal(int column, double value) { row(column)[columns_->depth(column)] += value; }
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;  ///< y = H x
  const TreeColumns& columns() const { return *columns_; }

 private:
  const TreeColumns* columns_;
  std::vector<double> values_;
};

/// H = LᵀL, L lower triangular: computed from the leaves to the root, so that the factor has no fill-in (Featherstone
/// 2008, section 6.5). Never allocates after construction.
class TreeFactor {
 public:
  explicit TreeFactor(const TreeColumns& columns);

  /// Columns that are held get the row and column of the identity. False when H is not positive definite.
  bool compute(const TreeMatrix& matrix, const std::vector<char>& is_held);
  void solve_transposed(Eigen::Ref<Eigen::VectorXd> b) const;  ///< b ← L⁻ᵀ b
  void solve(Eigen::Ref<Eigen::VectorXd> b) const;             ///< b ← L⁻¹ b

 private:
  TreeMatrix factor_;
};

}  // namespace aplomb
