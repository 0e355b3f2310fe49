#include "aplomb/retarget/frames/tree_factor.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {

TreeColumns::TreeColumns(const TreeKinematics& tree) {
  for (int column = 0; column < tree.nv(); ++column) {
    const int body = column - 5;
    const int parent = column < 6 ? column - 1 : tree.parent(body) + 5;
    begin_.push_back(path_.size());
    depth_.push_back(parent < 0 ? 0 : depth_[static_cast<std::size_t>(parent)] + 1);
    for (int i = 0; i < depth_.back(); ++i) path_.push_back(path_[begin_[static_cast<std::size_t>(parent)] + i]);
    path_.push_back(column);
  }
}

TreeMatrix::TreeMatrix(const TreeColumns& columns) : columns_(&columns), values_(columns.num_values(), 0.0) {}

void TreeMatrix::assign(const Eigen::MatrixXd& lower) {
  double* value = values_.data();
  for (int column = 0; column < columns_->size(); ++column) {
    const int* path = columns_->path(column);
    for (int i = 0; i <= columns_->depth(column); ++i) *value++ = lower(column, path[i]);
  }
}

void TreeMatrix::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero();
  for (int column = 0; column < columns_->size(); ++column) {
    const int* path = columns_->path(column);
    const double* values = row(column);
    const int depth = columns_->depth(column);
    double sum = values[depth] * x[column];
    for (int i = 0; i < depth; ++i) {
      sum += values[i] * x[path[i]];
      y[path[i]] += values[i] * x[column];
    }
    y[column] += sum;
  }
}

TreeFactor::TreeFactor(const TreeColumns& columns) : factor_(columns) {}

bool TreeFactor::compute(const TreeMatrix& matrix, const std::vector<char>& is_held) {
  constexpr double kLeastPivot = 1e-12;
  const TreeColumns& columns = matrix.columns();
  for (int k = 0; k < columns.size(); ++k) {
    const double* from = matrix.row(k);
    double* to = factor_.row(k);
    const int* path = columns.path(k);
    const int depth = columns.depth(k);
    const bool held = is_held[static_cast<std::size_t>(k)] != 0;
    for (int i = 0; i < depth; ++i) to[i] = held || is_held[static_cast<std::size_t>(path[i])] != 0 ? 0.0 : from[i];
    to[depth] = held ? 1.0 : from[depth];
  }
  for (int k = columns.size() - 1; k >= 0; --k) {
    double* row = factor_.row(k);
    const int depth = columns.depth(k);
    if (!(row[depth] > kLeastPivot)) return false;
    row[depth] = std::sqrt(row[depth]);
    if (is_held[static_cast<std::size_t>(k)] != 0) continue;
    const double scale = 1.0 / row[depth];
    for (int i = 0; i < depth; ++i) row[i] *= scale;
    const int* path = columns.path(k);
    for (int i = 0; i < depth; ++i) {
      const double factor = row[i];
      double* above = factor_.row(path[i]);
      for (int j = 0; j <= i; ++j) above[j] -= factor * row[j];
    }
  }
  return true;
}

void TreeFactor::solve_transposed(Eigen::Ref<Eigen::VectorXd> b) const {
  const TreeColumns& columns = factor_.columns();
  for (int k = columns.size() - 1; k >= 0; --k) {
    if (b[k] == 0.0) continue;
    const double* row = factor_.row(k);
    const int* path = columns.path(k);
    const int depth = columns.depth(k);
    const double value = b[k] / row[depth];
    b[k] = value;
    for (int i = 0; i < depth; ++i) b[path[i]] -= row[i] * value;
  }
}

void TreeFactor::solve(Eigen::Ref<Eigen::VectorXd> b) const {
  const TreeColumns& columns = factor_.columns();
  for (int k = 0; k < columns.size(); ++k) {
    const double* row = factor_.row(k);
    const int* path = columns.path(k);
    const int depth = columns.depth(k);
    double sum = b[k];
    for (int i = 0; i < depth; ++i) sum -= row[i] * b[path[i]];
    b[k] = sum / row[depth];
  }
}

}  // namespace aplomb
