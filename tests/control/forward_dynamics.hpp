#pragma once

#include <Eigen/LU>
#include <span>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb::test {

/// Momentum rate of a robot whose contacts hold, under joint torques: one dense solve of the equation of motion with
/// the constraints of all contacts that are more than half available,
///   [M −Jᵀ; J 0] [v̇; w] = [Sᵀτ − h; −J̇v].
/// Slow but simple; dependent constraints are legal, because v̇ is unique.
inline MomentumRate rate_with_held_contacts(const RobotTerms& terms, std::span<const BalanceContacts::Site> sites,
                                            std::span<const Contact> contacts, const Eigen::VectorXd& torque) {
  const Eigen::Index nv = terms.mass_matrix().rows();
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> right;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (contacts[i].availability <= 0.5) continue;
    const FrameTerms& frame = terms.frame(sites[i].frame);
    const Eigen::Vector3d arm = contacts[i].point - frame.T_world_frame.translation();
    const Eigen::Vector3d omega = frame.velocity.tail<3>();
    Matrix6Xd jacobian = frame.jacobian;
    for (Eigen::Index k = 0; k < nv; ++k) {
      jacobian.col(k).head<3>() += Eigen::Vector3d(jacobian.col(k).tail<3>()).cross(arm);
    }
    Vector6d bias = frame.bias;
    bias.head<3>() += Eigen::Vector3d(bias.tail<3>()).cross(arm) + omega.cross(omega.cross(arm));
    for (int row = 0; row < (sites[i].is_point ? 3 : 6); ++row) {
      rows.emplace_back(jacobian.row(row));
      right.push_back(-bias[row]);
    }
  }
  const auto num_rows = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nv + num_rows, nv + num_rows);
  Eigen::VectorXd side = Eigen::VectorXd::Zero(nv + num_rows);
  matrix.topLeftCorner(nv, nv) = terms.mass_matrix();
  side.head(nv) = -terms.bias();
  side.segment(6, torque.size()) += torque;
  for (Eigen::Index row = 0; row < num_rows; ++row) {
    matrix.row(nv + row).head(nv) = rows[static_cast<std::size_t>(row)];
    matrix.col(nv + row).head(nv) = -rows[static_cast<std::size_t>(row)].transpose();
    side[nv + row] = right[static_cast<std::size_t>(row)];
  }
  const Eigen::VectorXd solution = matrix.fullPivLu().solve(side);
  const Vector6d rate = terms.momentum_matrix() * solution.head(nv) + terms.momentum_bias();
  return {rate.head<3>(), rate.tail<3>()};
}

}  // namespace aplomb::test
