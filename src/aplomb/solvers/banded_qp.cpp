#include "aplomb/solvers/banded_qp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kLeastDiagonal = 1e-6;  // of P, below which a variable counts as one without a cost of its own

}  // namespace

BandedMatrix::BandedMatrix(Eigen::Index size, Eigen::Index half_band)
    : size_(size), half_band_(std::min(half_band, size - 1)), stride_(half_band_ + kPanel + 1) {
  values_.setZero(size_ * stride_);
}

void BandedMatrix::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  y.setZero(size_);
  for (Eigen::Index j = 0; j < size_; ++j) {
    const Eigen::Index below = std::min(half_band_, size_ - 1 - j);
    const auto column = values_.segment(j * stride_ + 1, below);
    y[j] += values_[j * stride_] * x[j] + column.dot(x.segment(j + 1, below));
    y.segment(j + 1, below) += x[j] * column;
  }
}

bool BandedMatrix::factorise() {
  for (Eigen::Index begin = 0; begin < size_; begin += kPanel) {
    const Eigen::Index width = std::min(kPanel, size_ - begin);
    const Eigen::Index next = begin + width;
    // Rows below the panel that it touches; entries outside the band are stored zeros.
    const Eigen::Index below =
        std::max<Eigen::Index>(0, std::min(half_band_ + width - 1, size_ - begin - 1) - width + 1);
    Block diagonal = block(begin, begin, width, width);
    if (Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(diagonal) != -1) return false;
    if (below == 0) continue;
    Block panel = block(next, begin, below, width);
    diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(panel);
    Block trailing = block(next, next, below, below);
    trailing.selfadjointView<Eigen::Lower>().rankUpdate(panel, -1.0);
  }
  return true;
}

void BandedMatrix::solve(Eigen::VectorXd& b) const {
  for (Eigen::Index j = 0; j < size_; ++j) {
    const Eigen::Index below = std::min(half_band_, size_ - 1 - j);
    b[j] /= values_[j * stride_];
    b.segment(j + 1, below) -= b[j] * values_.segment(j * stride_ + 1, below);
  }
  for (Eigen::Index j = size_ - 1; j >= 0; --j) {
    const Eigen::Index below = std::min(half_band_, size_ - 1 - j);
    b[j] = (b[j] - values_.segment(j * stride_ + 1, below).dot(b.segment(j + 1, below))) / values_[j * stride_];
  }
}

SolveStatus BandedQp::solve(const Settings& settings) {
  regularisation_.resize(hessian.size());
  for (Eigen::Index i = 0; i < hessian.size(); ++i)
    regularisation_[i] = settings.regularisation * std::max(hessian(i, i), kLeastDiagonal);
  start();
  const double scale = 1.0 + gradient.lpNorm<Eigen::Infinity>();
  for (iterations_ = 0; iterations_ < settings.max_iterations; ++iterations_) {
    compute_residuals();
    if (!std::isfinite(residuals_.dual) || !std::isfinite(residuals_.primal)) return SolveStatus::numerical_trouble;
    if (residuals_.dual < settings.tolerance * scale && residuals_.primal < settings.tolerance &&
        residuals_.gap < settings.gap) {
      return SolveStatus::solved;
    }
    if (!factorise()) return SolveStatus::numerical_trouble;
    const double mu = residuals_.complementarity;
    solve_step(0.0, false);
    const double affine = longest_step();
    double sum = 0.0, count = 0.0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      sum += (s_[g] + affine * ds_[g]).dot(z_[g] + affine * dz_[g]) +
             (t_[g] + affine * dt_[g]).dot(y_[g] + affine * dy_[g]);
      count += 2.0 * static_cast<double>(s_[g].size());
    }
    const double sigma = count > 0.0 ? std::pow(sum / count / std::max(mu, 1e-300), 3) : 0.0;
    solve_step(std::min(sigma, 1.0) * mu, true);
    const double length = std::min(1.0, 0.995 * longest_step());
    x_ += length * dx_;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      s_[g] += length * ds_[g];
      z_[g] += length * dz_[g];
      t_[g] += length * dt_[g];
      y_[g] += length * dy_[g];
    }
  }
  compute_residuals();
  return SolveStatus::iteration_limit;
}

void BandedQp::start() {
  const std::size_t groups = rows.size();
  x_.setZero(hessian.size());
  dx_ = dual_ = work_ = x_;
  s_.resize(groups);
  z_ = t_ = y_ = ds_ = dz_ = dt_ = dy_ = primal_ = weight_ = corrector_s_ = corrector_t_ = s_;
  // Multipliers as large as the gradient that they must balance, slacks as large as the bounds.
  const double force = std::max(1e-6, 1e-2 * gradient.lpNorm<Eigen::Infinity>());
  for (std::size_t g = 0; g < groups; ++g) {
    const Eigen::Index count = rows[g].h.size();
    s_[g] = rows[g].h.cwiseMax(0.05);
    t_[g] = (s_[g] - rows[g].h).cwiseMax(0.05);
    z_[g] = rows[g].price.cwiseMin(2.0 * force) * 0.5;
    y_[g] = rows[g].price - z_[g];
    ds_[g] = dz_[g] = dt_[g] = dy_[g] = primal_[g] = weight_[g] = corrector_s_[g] = corrector_t_[g] =
        Eigen::VectorXd::Zero(count);
  }
}

void BandedQp::compute_residuals() {
  hessian.multiply(x_, dual_);
  dual_ += gradient + regularisation_.cwiseProduct(x_);
  residuals_ = {};
  double sum = 0.0, count = 0.0;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    const Rows& group = rows[g];
    const Eigen::Index columns = group.G.cols();
    dual_.segment(group.begin, columns).noalias() += group.G.transpose() * z_[g];
    primal_[g].noalias() = group.G * x_.segment(group.begin, columns);
    primal_[g] += s_[g] - t_[g] - group.h;
    if (primal_[g].size() > 0) residuals_.primal = std::max(residuals_.primal, primal_[g].lpNorm<Eigen::Infinity>());
    sum += s_[g].dot(z_[g]) + t_[g].dot(y_[g]);
    count += 2.0 * static_cast<double>(s_[g].size());
  }
  residuals_.dual = dual_.lpNorm<Eigen::Infinity>();
  residuals_.complementarity = count > 0.0 ? sum / count : 0.0;
  residuals_.gap = sum;
}

bool BandedQp::factorise() {
  factor_ = hessian;
  for (Eigen::Index i = 0; i < factor_.size(); ++i) factor_(i, i) += regularisation_[i];
  Eigen::MatrixXd scaled;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    weight_[g] = (s_[g].cwiseQuotient(z_[g]) + t_[g].cwiseQuotient(y_[g])).cwiseInverse();
    scaled = rows[g].G.transpose() * weight_[g].cwiseSqrt().asDiagonal();
    BandedMatrix::Block block = factor_.block(rows[g].begin, rows[g].begin, scaled.rows(), scaled.rows());
    block.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  }
  return factor_.factorise();
}

/// Newton step of the perturbed optimality conditions
///   P x + c + Gᵀz = 0,   G x − t + s = h,   y + z = ρ,   s z = σμ,   t y = σμ.
/// dy = −dz because y + z = ρ holds from the start; the second-order terms of the last step are the corrector.
void BandedQp::solve_step(double sigma_mu, bool with_corrector) {
  work_ = -dual_;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    Eigen::VectorXd& target_s = corrector_s_[g];
    Eigen::VectorXd& target_t = corrector_t_[g];
    if (with_corrector) {
      target_s = (-s_[g].cwiseProduct(z_[g]) - ds_[g].cwiseProduct(dz_[g])).array() + sigma_mu;
      target_t = (-t_[g].cwiseProduct(y_[g]) - dt_[g].cwiseProduct(dy_[g])).array() + sigma_mu;
    } else {
      target_s = -s_[g].cwiseProduct(z_[g]);
      target_t = -t_[g].cwiseProduct(y_[g]);
    }
    dz_[g] = weight_[g].cwiseProduct(primal_[g] + target_s.cwiseQuotient(z_[g]) - target_t.cwiseQuotient(y_[g]));
    work_.segment(rows[g].begin, rows[g].G.cols()).noalias() -= rows[g].G.transpose() * dz_[g];
  }
  dx_ = work_;
  factor_.solve(dx_);
  for (std::size_t g = 0; g < rows.size(); ++g) {
    dz_[g] += weight_[g].cwiseProduct(rows[g].G * dx_.segment(rows[g].begin, rows[g].G.cols()));
    dy_[g] = -dz_[g];
    ds_[g] = (corrector_s_[g] - s_[g].cwiseProduct(dz_[g])).cwiseQuotient(z_[g]);
    dt_[g] = (corrector_t_[g] - t_[g].cwiseProduct(dy_[g])).cwiseQuotient(y_[g]);
  }
}

/// Largest step in [0, 1/0.995] that keeps all slacks and multipliers nonnegative.
double BandedQp::longest_step() const {
  double most = 1.0 / 0.995;
  const auto limit = [&most](const Eigen::VectorXd& value, const Eigen::VectorXd& step) {
    for (Eigen::Index i = 0; i < value.size(); ++i) {
      if (step[i] < 0.0) most = std::min(most, -value[i] / step[i]);
    }
  };
  for (std::size_t g = 0; g < rows.size(); ++g) {
    limit(s_[g], ds_[g]);
    limit(z_[g], dz_[g]);
    limit(t_[g], dt_[g]);
    limit(y_[g], dy_[g]);
  }
  return most;
}

}  // namespace aplomb
