#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/solvers/solve_status.hpp"

namespace aplomb {

/// Symmetric matrix whose entries vanish more than `half_band` below and above the diagonal; only the lower part is
/// stored. A block of neighbouring columns is dense, so that work on it runs at the speed of dense matrices.
class BandedMatrix {
 public:
  BandedMatrix() = default;
  BandedMatrix(Eigen::Index size, Eigen::Index half_band);

  Eigen::Index size() const { return size_; }
  Eigen::Index half_band() const { return half_band_; }
  void set_zero() { values_.setZero(); }
  /// Entry (row, column) with column ≤ row ≤ column + half_band.
  double& operator()(Eigen::Index row, Eigen::Index column) { return values_[place(row, column)]; }
  double operator()(Eigen::Index row, Eigen::Index column) const { return values_[place(row, column)]; }

  using Block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  using ConstBlock = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  /// Block of the lower part: rows from `row`, columns from `column`, row ≥ column. Entries above the diagonal or
  /// outside the band must not be used.
  Block block(Eigen::Index row, Eigen::Index column, Eigen::Index rows, Eigen::Index columns) {
    return {values_.data() + place(row, column), rows, columns, Eigen::OuterStride<>(stride_ - 1)};
  }
  ConstBlock block(Eigen::Index row, Eigen::Index column, Eigen::Index rows, Eigen::Index columns) const {
    return {values_.data() + place(row, column), rows, columns, Eigen::OuterStride<>(stride_ - 1)};
  }

  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;  ///< y = A x

  /// Replaces the matrix by its Cholesky factor, A = L Lᵀ. False when A is not positive definite.
  bool factorise();
  void solve(Eigen::VectorXd& b) const;  ///< b ← A⁻¹ b, after factorise()

 private:
  static constexpr Eigen::Index kPanel = 32;  ///< columns that are factorised together

  Eigen::Index place(Eigen::Index row, Eigen::Index column) const { return row - column + column * stride_; }

  Eigen::Index size_ = 0, half_band_ = 0, stride_ = 0;
  Eigen::VectorXd values_;  ///< column by column, each with room for a panel below the band
};

/// A convex quadratic program of a long chain of small stages,
///   min ½ xᵀP x + cᵀx + Σ ρ_i t_i   subject to   G x − t ≤ h,   t ≥ 0,
/// where P is positive semidefinite and banded and every row of G has its entries within a band. Each row is elastic:
/// its violation t_i costs ρ_i, so that there is always a solution; when all rows can be met and ρ exceeds the
/// multipliers, t = 0.
///
/// Primal-dual interior point with Mehrotra's predictor and corrector (Mehrotra 1992); one banded Cholesky
/// factorisation per iteration. Rows are kept in groups that share a range of columns.
class BandedQp {
 public:
  /// Rows  G x ≤ h  over the columns [begin, begin + G.cols()).
  struct Rows {
    Eigen::Index begin = 0;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> G;
    Eigen::VectorXd h;
    Eigen::VectorXd price;  ///< ρ
  };
  struct Settings {
    double tolerance = 1e-7;  ///< of the residuals; of the dual one relative to the largest cost gradient
    double gap = 1e-6;        ///< largest duality gap, in the unit of the cost
    int max_iterations = 60;
    double regularisation = 1e-9;  ///< added to each diagonal entry of P, relative to it
  };
  struct Residuals {
    double dual = 0.0;             ///< largest component of P x + c + Gᵀz
    double primal = 0.0;           ///< largest component of G x − t + s − h
    double complementarity = 0.0;  ///< mean of s z and t (ρ − z)
    double gap = 0.0;              ///< their sum: the cost above the optimum when the other two are zero
  };

  BandedMatrix hessian;      ///< P
  Eigen::VectorXd gradient;  ///< c
  std::vector<Rows> rows;

  SolveStatus solve(const Settings& settings);

  const Eigen::VectorXd& solution() const { return x_; }
  const std::vector<Eigen::VectorXd>& multipliers() const { return z_; }  ///< z, by group
  const std::vector<Eigen::VectorXd>& violations() const { return t_; }   ///< t, by group
  const Residuals& residuals() const { return residuals_; }
  int iterations() const { return iterations_; }

 private:
  void start();
  void compute_residuals();
  bool factorise();
  void solve_step(double sigma_mu, bool with_corrector);
  double longest_step() const;

  BandedMatrix factor_;
  Eigen::VectorXd x_, dx_, dual_, work_;
  std::vector<Eigen::VectorXd> s_, z_, t_, y_, ds_, dz_, dt_, dy_, primal_, weight_, corrector_s_, corrector_t_;
  Eigen::VectorXd regularisation_;
  Residuals residuals_;
  int iterations_ = 0;
};

}  // namespace aplomb
