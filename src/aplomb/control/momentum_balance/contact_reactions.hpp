#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "aplomb/control/contact/limb_motion.hpp"
#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Momentum rate that given joint torques produce while the contacts hold: forward dynamics with the contacts that are
/// available as rigid, bilateral constraints:
///   M v̇ + h = Sᵀ τ + Jᵀ w,   J v̇ + J̇ v = 0,   ḣ = A v̇ + Ȧ v
/// It tells what torques cost that are clamped to their limits: no contact loads were chosen for these.
class ContactReactions {
 public:
  ContactReactions(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites);  ///< allocates

  /// `terms` must hold the sites' frames. Never allocates.
  MomentumRate rate(const RobotTerms& terms, std::span<const Contact> contacts, const Eigen::VectorXd& torque);

 private:
  void write_rows(const RobotTerms& terms, std::span<const Contact> contacts);

  std::vector<BalanceContacts::Site> sites_;
  PointRows point_;
  Eigen::MatrixXd rows_;              ///< Jᵀ, then L⁻¹ Jᵀ, nv × rows; zero for contacts that are not available
  Eigen::VectorXd bias_;              ///< J̇ v, then w
  Eigen::VectorXd acceleration_;      ///< L⁻¹ (Sᵀ τ − h), then v̇
  Eigen::LLT<Eigen::MatrixXd> mass_;  ///< M = L Lᵀ
  Eigen::MatrixXd mobility_;          ///< J M⁻¹ Jᵀ
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace aplomb
