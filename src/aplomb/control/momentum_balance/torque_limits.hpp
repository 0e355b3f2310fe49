#pragma once

#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/joint_accelerations.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Keeps the joint torques within their limits.
/// A joint of a swinging limb (an arm) accelerates less: `slow_down`.
/// For a joint that carries the body the contact loads are solved again: its torque is linear in them, both directly
/// and through the accelerations that they cause. The joints over their limits are set to their limits exactly, with
/// the nearest admissible rates of momentum, in one bounded least-squares problem over the friction-pyramid edges at
/// every corner of the patches.
class TorqueLimits {
 public:
  TorqueLimits(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites);  ///< allocates

  /// Whether any torque exceeds its limit: among the joints of swinging limbs, or among those that carry the body.
  bool is_swinging_exceeded(const Eigen::VectorXd& torque) const { return is_exceeded(torque, false); }
  bool is_carrying_exceeded(const Eigen::VectorXd& torque) const { return is_exceeded(torque, true); }

  /// Narrows the acceleration bounds of swinging joints to their torque limits; `joints` are the present accelerations.
  void slow_down(const RobotTerms& terms, const Eigen::VectorXd& torque, const Eigen::VectorXd& joints,
                 JointAccelerations::Posture& posture) const;

  /// How the search for loads that keep the limits ended. In the last two cases the loads are unchanged.
  enum class Outcome {
    replaced,     ///< by loads that keep the limits as far as any do
    too_violent,  ///< these would need a rate of linear momentum above both the desired one and the weight
    failed,       ///< the solver found none
  };
  /// Replaces `loads`, to which `torque` belongs, by loads that keep the limits. `sensitivity`:
  /// JointAccelerations::sensitivity(). Never allocates.
  Outcome solve(const RobotTerms& terms, std::span<const Contact> contacts, const Eigen::MatrixXd& sensitivity,
                const MomentumRate& desired, const Eigen::VectorXd& torque, std::span<ContactLoad> loads) noexcept;

  /// Whether any torque was beyond its limit. The loads then no longer belong to the torques: see ContactReactions.
  bool clamp(Eigen::VectorXd& torque) const;

 private:
  static constexpr int kMostJoints = 6;  // largest number of joints set to their limits at once: the worst ones
  bool is_exceeded(const Eigen::VectorXd& torque, bool of_carrying) const;
  void pick_worst(const Eigen::VectorXd& torque);
  void write_contact(std::size_t index, const RobotTerms& terms, const Contact& contact,
                     const Eigen::MatrixXd& sensitivity, const ContactLoad& load);
  void read_loads(std::span<const Contact> contacts, std::span<ContactLoad> loads) const;

  const RobotModel* model_;
  std::vector<BalanceContacts::Site> sites_;
  std::vector<Eigen::Index> first_column_;
  Eigen::VectorXd limit_;
  std::vector<bool> is_carrying_;  ///< by joint: it lies between the base and a foot
  std::vector<int> joints_;        ///< joints set to their limits in this tick
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
  Matrix6Xd base_response_;       ///< scratch, 6 × 6
  Eigen::MatrixXd acceleration_;  ///< scratch, num_joints × 6
};

}  // namespace aplomb
