#pragma once

#include <Eigen/Core>
#include <cmath>

namespace aplomb {

/// A reflector H = I − tau v vᵀ with v₁ = 1, stored as in LAPACK: v₂… below the entry that holds beta.
/// Replaces `column` by (beta, v₂, …) with H column = (beta, 0, …); returns tau.
inline double make_reflector(double* column, Eigen::Index size) {
  Eigen::Map<Eigen::VectorXd> tail(column + 1, size - 1);
  const double tail_squared = tail.squaredNorm();
  if (tail_squared == 0.0) return 0.0;
  const double head = column[0];
  const double beta = -std::copysign(std::sqrt(head * head + tail_squared), head);
  tail *= 1.0 / (head - beta);
  column[0] = beta;
  return (beta - head) / beta;
}

/// target ← H target
inline void reflect(const double* stored, double tau, double* target, Eigen::Index size) {
  const Eigen::Map<const Eigen::VectorXd> v(stored + 1, size - 1);
  Eigen::Map<Eigen::VectorXd> tail(target + 1, size - 1);
  const double amount = tau * (target[0] + v.dot(tail));
  target[0] -= amount;
  tail -= amount * v;
}

/// rhs ← R⁻¹ rhs, R the upper triangle of the first `size` columns of `factor`
inline void solve_upper(const double* factor, Eigen::Index stride, double* rhs, Eigen::Index size) {
  for (Eigen::Index col = size - 1; col >= 0; --col) {
    rhs[col] /= factor[col * stride + col];
    for (Eigen::Index row = 0; row < col; ++row) rhs[row] -= factor[col * stride + row] * rhs[col];
  }
}

/// rhs ← R⁻ᵀ rhs
inline void solve_upper_transposed(const double* factor, Eigen::Index stride, double* rhs, Eigen::Index size) {
  for (Eigen::Index col = 0; col < size; ++col) {
    for (Eigen::Index row = 0; row < col; ++row) rhs[col] -= factor[col * stride + row] * rhs[row];
    rhs[col] /= factor[col * stride + col];
  }
}

}  // namespace aplomb
