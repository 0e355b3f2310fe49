#include "aplomb/robot/dynamics/base_wrench.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace aplomb {
namespace {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

Matrix6d base_rows(const MotionDerivatives& derivatives) { return derivatives.columns().leftCols<6>().transpose(); }

}  // namespace

void BaseWrench::evaluate(const MotionDerivatives& derivatives) {
  value_ = base_rows(derivatives).partialPivLu().solve(derivatives.torque().head<6>());
}

/// dw = J_b⁻ᵀ (dτ_b − d(J_bᵀ) w): moving along coordinate k turns the twists of the coordinates below it by k's twist.
void BaseWrench::linearise(const MotionDerivatives& derivatives) {
  const Eigen::PartialPivLU<Matrix6d> solver(base_rows(derivatives));
  value_ = solver.solve(derivatives.torque().head<6>());
  const Eigen::Vector3d force = value_.head<3>(), moment = value_.tail<3>();
  Rows rows = derivatives.by_position().topRows(6);
  const auto& columns = derivatives.columns();
  for (int k = 0; k < 6; ++k) {
    const Eigen::Vector3d v_k = columns.col(k).head<3>(), w_k = columns.col(k).tail<3>();
    for (int i = k + 1; i < 6; ++i) {
      const Eigen::Vector3d v_i = columns.col(i).head<3>(), w_i = columns.col(i).tail<3>();
      rows(i, k) -= (w_k.cross(v_i) + v_k.cross(w_i)).dot(force) + w_k.cross(w_i).dot(moment);
    }
  }
  by_position_ = solver.solve(rows);
  by_rate_ = solver.solve(derivatives.by_rate().topRows(6));
  by_acceleration_ = solver.solve(derivatives.mass_matrix().topRows(6));
}

}  // namespace aplomb
