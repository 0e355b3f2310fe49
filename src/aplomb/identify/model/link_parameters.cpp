#include "aplomb/identify/model/link_parameters.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

namespace aplomb {
namespace {

Eigen::Matrix3d cross(const Eigen::Vector3d& w) {
  return (Eigen::Matrix3d() << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0).finished();
}

Eigen::Matrix3d inertia_matrix(const LinkParameters& p) {
  return (Eigen::Matrix3d() << p[4], p[5], p[7], p[5], p[6], p[8], p[7], p[8], p[9]).finished();
}

void set_inertia(LinkParameters& p, const Eigen::Matrix3d& I) {
  p.tail<6>() << I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2);
}

/// Index of our Ixx, Ixy, Iyy, Ixz, Iyz, Izz in Wensing's order.
constexpr std::array<int, 6> kWensingPlace = {4, 7, 5, 9, 8, 6};

/// Upper triangular U with P = U Uᵀ: the lower factor of P with rows and columns reversed.
Eigen::Matrix4d upper_factor(const Eigen::Matrix4d& P) {
  const Eigen::Matrix4d reversed = P.reverse();
  const Eigen::Matrix4d L = reversed.llt().matrixL();
  return L.reverse();
}

}  // namespace

LinkParameters to_parameters(const Inertia& inertia) {
  LinkParameters p;
  const Eigen::Matrix3d C = cross(inertia.com);
  p[0] = inertia.mass;
  p.segment<3>(1) = inertia.mass * inertia.com;
  set_inertia(p, inertia.about_com - inertia.mass * C * C);
  return p;
}

Inertia to_inertia(const LinkParameters& p) {
  Inertia inertia;
  inertia.mass = p[0];
  inertia.com = p.segment<3>(1) / p[0];
  const Eigen::Matrix3d C = cross(inertia.com);
  const Eigen::Matrix3d about = inertia_matrix(p) + p[0] * C * C;
  inertia.about_com = 0.5 * (about + about.transpose());  // removes asymmetry from rounding
  return inertia;
}

Inertia with_moved_mass(const Inertia& cad, double mass, const Eigen::Vector3d& com) {
  constexpr double kThin = 0.005;  // [m]: a body thinner than this is taken to be this thick
  const Eigen::Vector3d shift = com - cad.com;
  Inertia inertia{.mass = mass, .com = com, .about_com = mass / cad.mass * cad.about_com};
  if (!(shift.norm() > 1e-9)) return inertia;
  // Extent of the body: a uniform ellipsoid with semi-axes a, b, c has the second moments m a²/5, m b²/5, m c²/5.
  const Eigen::Matrix3d second_moment =
      (0.5 * cad.about_com.trace() / cad.mass + kThin * kThin) * Eigen::Matrix3d::Identity() - cad.about_com / cad.mass;
  const Eigen::Vector3d along = shift.normalized();
  const double extent = std::sqrt(5.0 / along.dot(second_moment.inverse() * along));
  const double moved = std::clamp(mass * shift.norm() / extent, std::max(0.0, mass - cad.mass), mass);
  const Eigen::Vector3d d = mass / moved * shift;
  inertia.about_com +=
      (mass - moved) * moved / mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  return inertia;
}

LinkParameters to_wensing_order(const LinkParameters& p) {
  LinkParameters other = p;
  for (int i = 0; i < 6; ++i) other[kWensingPlace[static_cast<std::size_t>(i)]] = p[4 + i];
  return other;
}

LinkParameters from_wensing_order(const LinkParameters& other) {
  LinkParameters p = other;
  for (int i = 0; i < 6; ++i) p[4 + i] = other[kWensingPlace[static_cast<std::size_t>(i)]];
  return p;
}

Eigen::Matrix4d pseudo_inertia(const LinkParameters& p) {
  const Eigen::Matrix3d I = inertia_matrix(p);
  Eigen::Matrix4d P;
  P.topLeftCorner<3, 3>() = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  P.topRightCorner<3, 1>() = p.segment<3>(1);
  P.bottomLeftCorner<1, 3>() = p.segment<3>(1).transpose();
  P(3, 3) = p[0];
  return P;
}

LinkParameters from_pseudo_inertia(const Eigen::Matrix4d& P) {
  LinkParameters p;
  p[0] = P(3, 3);
  p.segment<3>(1) = P.topRightCorner<3, 1>();
  const Eigen::Matrix3d S = P.topLeftCorner<3, 3>();
  set_inertia(p, S.trace() * Eigen::Matrix3d::Identity() - S);
  return p;
}

bool is_feasible(const LinkParameters& p) {
  if (!p.allFinite()) return false;
  return pseudo_inertia(p).llt().info() == Eigen::Success;
}

LinkParameters from_log_cholesky(const LinkParameters& theta) {
  Eigen::Matrix4d U = Eigen::Matrix4d::Zero();
  for (int i = 0; i < 3; ++i) U(i, i) = std::exp(theta[1 + i]);
  U(0, 1) = theta[4];
  U(1, 2) = theta[5];
  U(0, 2) = theta[6];
  U.topRightCorner<3, 1>() = theta.tail<3>();
  U(3, 3) = 1.0;
  return from_pseudo_inertia(std::exp(2.0 * theta[0]) * U * U.transpose());
}

LinkParameters to_log_cholesky(const LinkParameters& p) {
  Eigen::Matrix4d U = upper_factor(pseudo_inertia(p));
  LinkParameters theta;
  theta[0] = std::log(U(3, 3));
  U /= U(3, 3);
  for (int i = 0; i < 3; ++i) theta[1 + i] = std::log(U(i, i));
  theta.segment<3>(4) << U(0, 1), U(1, 2), U(0, 2);
  theta.tail<3>() = U.topRightCorner<3, 1>();
  return theta;
}

Eigen::Matrix<double, 10, 10> log_cholesky_jacobian(const LinkParameters& theta) {
  // P = e^2α V Vᵀ with V = V(d, s, t), so ∂P/∂α = 2 P and ∂P/∂x = e^2α (V_x Vᵀ + V V_xᵀ), V_x one entry.
  Eigen::Matrix4d V = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 3; ++i) V(i, i) = std::exp(theta[1 + i]);
  V(0, 1) = theta[4];
  V(1, 2) = theta[5];
  V(0, 2) = theta[6];
  V.topRightCorner<3, 1>() = theta.tail<3>();
  const double scale = std::exp(2.0 * theta[0]);
  constexpr std::array<std::array<int, 2>, 9> kEntries = {
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  Eigen::Matrix<double, 10, 10> jacobian;
  jacobian.col(0) = 2.0 * from_pseudo_inertia(scale * V * V.transpose());
  for (std::size_t k = 0; k < kEntries.size(); ++k) {
    const auto [row, column] = kEntries[k];
    Eigen::Matrix4d E = Eigen::Matrix4d::Zero();
    E(row, column) = row == column ? V(row, column) : 1.0;  // the diagonal is an exponential
    const Eigen::Matrix4d EV = E * V.transpose();
    jacobian.col(static_cast<Eigen::Index>(k) + 1) = from_pseudo_inertia(scale * (EV + EV.transpose()));
  }
  return jacobian;
}

double entropic_divergence(const Eigen::Matrix4d& P, const Eigen::Matrix4d& P0) {
  // Whitened, Q = L⁻¹ P L⁻ᵀ with P₀ = L Lᵀ: without whitening, light links lose digits.
  const Eigen::Matrix4d L = P0.llt().matrixL();
  const Eigen::Matrix4d half = L.triangularView<Eigen::Lower>().solve(P);
  const Eigen::Matrix4d Q = L.triangularView<Eigen::Lower>().solve(half.transpose());
  return Q.trace() - std::log(Q.determinant()) - 4.0;
}

}  // namespace aplomb
