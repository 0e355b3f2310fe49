#include "aplomb/robot/dynamics/inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>

namespace aplomb {
namespace {

constexpr double kTriangleTolerance = 1e-6;  // relative; allows for numbers that were rounded in the file
constexpr double kDefiniteTolerance = 1e-9;  // least ratio of smallest to largest principal moment; less is rounding
constexpr double kLeastGyration = 1e-6;      // [m] least radius of gyration; less is rounding
constexpr double kRepairFloor = 1e-4;  // smallest eigenvalue of a repaired Σ over its trace: keeps M well conditioned
constexpr double kPointExtent = 1e-4;  // [m] a mass spread by less than this is a point mass
constexpr double kPointGyration = 1e-2;  // [m] radius of gyration that a point mass gets

}  // namespace

Inertia transformed(const Eigen::Isometry3d& T_a_b, const Inertia& inertia) {
  const Eigen::Matrix3d R = T_a_b.linear();
  return {inertia.mass, T_a_b * inertia.com, R * inertia.about_com * R.transpose()};
}

Inertia joined(const Inertia& first, const Inertia& second) {
  Inertia sum{first.mass + second.mass, first.com, first.about_com + second.about_com};
  if (sum.mass > 0.0) {
    const double share = second.mass / sum.mass;
    const Eigen::Vector3d d = second.com - first.com;
    sum.com += share * d;
    sum.about_com += first.mass * share * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  }
  return sum;
}

std::string impossibility(const Inertia& inertia) {
  if (!inertia.about_com.allFinite() || !inertia.com.allFinite()) return "is not finite";
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia.about_com, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d& moments = solver.eigenvalues();  // ascending
  const std::string shown =
      fmt::format("principal moments {:.4g}, {:.4g}, {:.4g} kg m²", moments[0], moments[1], moments[2]);
  const double least = std::max(kDefiniteTolerance * moments[2], kLeastGyration * kLeastGyration * inertia.mass);
  if (!(moments[0] > least)) {
    return fmt::format("is not positive definite ({}; all three must be above zero)", shown);
  }
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + kTriangleTolerance)) {
    return fmt::format("breaks the triangle inequality ({}; none may be above the sum of the other two)", shown);
  }
  return {};
}

Inertia nearest_possible(const Inertia& inertia) {
  assert(inertia.mass > 0.0);
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d second_moment = 0.5 * inertia.about_com.trace() * identity - inertia.about_com;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(second_moment);
  Eigen::Vector3d values = solver.eigenvalues().cwiseMax(0.0);
  if (values.sum() > inertia.mass * kPointExtent * kPointExtent) {
    values = values.cwiseMax(kRepairFloor * values.sum());
  } else {
    values.setConstant(inertia.mass * kPointGyration * kPointGyration / 2.0);
  }
  const Eigen::Matrix3d& axes = solver.eigenvectors();
  // I = tr(Σ) 1 − Σ is the inverse of Σ = ½ tr(I) 1 − I.
  Eigen::Matrix3d about_com = values.sum() * identity - axes * values.asDiagonal() * axes.transpose();
  about_com = 0.5 * (about_com + about_com.transpose()).eval();
  return {inertia.mass, inertia.com, about_com};
}

}  // namespace aplomb
