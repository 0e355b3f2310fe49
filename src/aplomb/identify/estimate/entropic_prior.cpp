#include "aplomb/identify/estimate/entropic_prior.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "aplomb/identify/model/link_parameters.hpp"

namespace aplomb {
namespace {

constexpr double kSmallest = 0.005;  // [m]: a link thinner than this is taken to be this thick
using Vector16 = Eigen::Matrix<double, 16, 1>;

Eigen::Matrix4d as_matrix(const Eigen::VectorXd& entries) { return Eigen::Map<const Eigen::Matrix4d>(entries.data()); }

Eigen::Matrix3d second_moment(const Inertia& inertia) {
  const Eigen::Matrix3d& I = inertia.about_com;
  return 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I +
         inertia.mass * kSmallest * kSmallest * Eigen::Matrix3d::Identity();
}

}  // namespace

void EntropicPrior::add_static(int first, const Inertia& cad) {
  blocks_.push_back({.first = first, .mass = cad.mass, .com = cad.com, .S_inverse = second_moment(cad).inverse()});
}

void EntropicPrior::add_planar(int first, double mass, const Eigen::Vector2d& com, const Eigen::Matrix2d& S) {
  const Eigen::Matrix2d thick = S + mass * kSmallest * kSmallest * Eigen::Matrix2d::Identity();
  blocks_.push_back({.first = first, .mass = mass, .com = com, .S_inverse = thick.inverse()});
}

void EntropicPrior::add_full(int first, const Inertia& cad) {
  Inertia thick = cad;
  const Eigen::Matrix3d S = second_moment(cad);
  thick.about_com = S.trace() * Eigen::Matrix3d::Identity() - S;
  const Eigen::Matrix4d P0 = pseudo_inertia(to_parameters(thick));
  const Eigen::Matrix4d L_inverse = Eigen::Matrix4d(P0.llt().matrixL()).inverse();
  Block block{.first = first, .mass = cad.mass, .to_whitened = Eigen::MatrixXd(16, 10)};
  for (int i = 0; i < 10; ++i) {
    const Eigen::Matrix4d Q = L_inverse * pseudo_inertia(LinkParameters::Unit(i)) * L_inverse.transpose();
    block.to_whitened.col(i) = Eigen::Map<const Vector16>(Q.data());
  }
  blocks_.push_back(block);
}

double EntropicPrior::value_of(const Block& block, const Eigen::VectorXd& phi) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (block.com.size() == 0) {
    const Eigen::Matrix4d Q = as_matrix(block.to_whitened * phi.segment<10>(block.first));
    const Eigen::LLT<Eigen::Matrix4d> factor(Q);
    if (!phi.segment<10>(block.first).allFinite() || factor.info() != Eigen::Success) return kInfinity;
    const double log_det = 2.0 * Eigen::Matrix4d(factor.matrixL()).diagonal().array().log().sum();
    return Q.trace() - log_det - 4.0;
  }
  const double m = phi[block.first];
  if (!(m > 0.0)) return kInfinity;
  const Eigen::VectorXd e = phi.segment(block.first + 1, block.com.size()) - m * block.com;
  return e.dot(block.S_inverse * e) / m + m / block.mass - std::log(m / block.mass) - 1.0;
}

double EntropicPrior::value(const Eigen::VectorXd& phi) const {
  double sum = 0.0;
  for (const Block& block : blocks_) sum += value_of(block, phi);
  return sum;
}

bool EntropicPrior::is_feasible(const Eigen::VectorXd& phi) const { return num_infeasible(phi) == 0; }

int EntropicPrior::num_infeasible(const Eigen::VectorXd& phi) const {
  int count = 0;
  for (const Block& block : blocks_) count += std::isfinite(value_of(block, phi)) ? 0 : 1;
  return count;
}

void EntropicPrior::add_derivatives(const Eigen::VectorXd& phi, double weight, Eigen::VectorXd& gradient,
                                    Eigen::MatrixXd& hessian) const {
  for (const Block& block : blocks_) {
    const int at = block.first;
    if (block.com.size() == 0) {
      // ∂D = tr((1 − Q⁻¹) ∂Q),  ∂²D = tr(Q⁻¹ ∂Q Q⁻¹ ∂Q)
      const Eigen::Matrix4d Q_inverse = as_matrix(block.to_whitened * phi.segment<10>(at)).inverse();
      const Eigen::Matrix4d slope = Eigen::Matrix4d::Identity() - Q_inverse;
      gradient.segment<10>(at) += weight * block.to_whitened.transpose() * Eigen::Map<const Vector16>(slope.data());
      Eigen::Matrix<double, 16, 10> turned;
      for (int i = 0; i < 10; ++i) {
        const Eigen::Matrix4d one = Q_inverse * as_matrix(block.to_whitened.col(i)) * Q_inverse;
        turned.col(i) = Eigen::Map<const Vector16>(one.data());
      }
      hessian.block<10, 10>(at, at) += weight * block.to_whitened.transpose() * turned;
      continue;
    }
    const Eigen::Index n = block.com.size();
    const double m = phi[at];
    const Eigen::VectorXd c = phi.segment(at + 1, n) / m;
    const Eigen::VectorXd shift = c - block.com, slope = 2.0 * block.S_inverse * shift;
    gradient.segment(at + 1, n) += weight * slope;
    gradient[at] += weight * (-block.com.dot(slope) - 0.5 * shift.dot(slope) + 1.0 / block.mass - 1.0 / m);
    const Eigen::VectorXd mixed = -2.0 / m * block.S_inverse * c;
    hessian.block(at + 1, at + 1, n, n) += 2.0 * weight / m * block.S_inverse;
    hessian.block(at + 1, at, n, 1) += weight * mixed;
    hessian.block(at, at + 1, 1, n) += weight * mixed.transpose();
    hessian(at, at) += weight * (-c.dot(mixed) + 1.0 / (m * m));
  }
}

}  // namespace aplomb
