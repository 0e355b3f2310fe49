#pragma once

#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_reference.hpp"
#include "aplomb/control/momentum_balance/contact_reactions.hpp"
#include "aplomb/control/momentum_balance/joint_accelerations.hpp"
#include "aplomb/control/momentum_balance/torque_limits.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// From the loads of the contacts to the command of the joints: accelerations that produce the loads' rate of momentum,
/// keep the contacts in place and draw the posture to its reference, the torques that leave no residual wrench on the
/// base, within their limits, and the drives' springs about the twice integrated accelerations.
class MomentumTorques {
 public:
  struct Law {
    /// The law of Lee and Goswami alone: no stops of the joints, feet not kept apart, torques clamped to their limits.
    bool as_printed = false;
    bool has_upright = false;     ///< `keep_upright` will be called
    double integral_leak = 10.0;  ///< rate at which the integrals of eq. 17 return to the measured state [1/s]; tuned
  };

  /// `height`: of the CoM when standing [m]; `posture_weight`: d of JointAccelerations. Allocates. `model` must outlive
  /// this object. Throws InvalidValue on a robot with position-controlled joints.
  MomentumTorques(const RobotModel& model, const RobotState& start, const std::vector<BalanceContacts::Site>& sites,
                  double height, const Eigen::VectorXd& posture_weight, const Law& law);

  /// `desired`: rate of momentum that the contacts were asked for; `reference`: rates and accelerations of the joints
  /// with which they may approach their stops; `posture`: desired joint accelerations [rad/s²]; `feet`: desired
  /// accelerations of feet in the air, by site.
  /// Where torques would exceed their limits, `loads` are replaced. `terms` must hold the sites' frames. Without a
  /// solution the last command is kept, or the present one clamped. Never allocates.
  CommandStatus solve(const RobotTerms& terms, const RobotState& state, std::span<const Contact> contacts,
                      const MomentumRate& desired, const BalanceReference& reference, const Eigen::VectorXd& posture,
                      std::span<ContactLoad> loads, std::span<const JointAccelerations::Prescribed> feet = {});

  /// Rate of angular momentum with which the base keeps this angular acceleration (base axes), for a given rate of
  /// linear momentum; later solves then draw the base to it too, until it is absent. Zero where there is no solution.
  /// Needs Law::has_upright. The other arguments are those of `solve`. Never allocates.
  Eigen::Vector3d keep_upright(const RobotTerms& terms, const RobotState& state, std::span<const Contact> contacts,
                               const Eigen::Vector3d& linear, const Eigen::Vector3d& acceleration,
                               const BalanceReference& reference, const Eigen::VectorXd& posture,
                               std::span<const JointAccelerations::Prescribed> feet);

  const Command& command() const { return command_; }
  bool is_held() const { return is_held_; }  ///< whether the last call found no torques and kept the command
  const MomentumRate& within_contacts() const { return within_contacts_; }  ///< as in MomentumTick
  const MomentumRate& admissible() const { return admissible_; }            ///< as in MomentumTick
  const Vector6d& base_residual() const { return base_residual_; }          ///< of the base's six rows [N, N m]

 private:
  bool accelerate(const RobotTerms& terms, const RobotState& state, std::span<const Contact> contacts,
                  const BalanceReference& reference, const Eigen::VectorXd& posture);
  bool solve_accelerations(const RobotTerms& terms, std::span<const Contact> contacts);
  void keep_feet_apart(const RobotTerms& terms, std::span<const Contact> contacts, double stop);
  bool respect_limits(const RobotTerms& terms, std::span<const Contact> contacts, const MomentumRate& desired,
                      std::span<ContactLoad> loads, CommandStatus& status);
  void write_torque(const RobotTerms& terms, std::span<const Contact> contacts, std::span<const ContactLoad> loads);
  void integrate(const RobotState& state);

  const RobotModel* model_;
  std::vector<BalanceContacts::Site> sites_;
  Law law_;
  double stop_rate_;  ///< rate of approach to a joint's stop, and of one foot to the other [1/s]
  JointAccelerations accelerations_;
  TorqueLimits torque_limits_;
  ContactReactions reactions_;
  MomentumRate within_contacts_, admissible_;
  JointAccelerations::Posture posture_request_;
  JointAccelerations::Apart apart_;
  std::span<const JointAccelerations::Prescribed> feet_;  ///< of this tick
  Eigen::VectorXd reaction_;                              ///< Σ Jᵀ w of all loads, all rows
  Eigen::VectorXd whole_;                                 ///< v̇ of `keep_upright`
  Eigen::VectorXd torque_;  ///< becomes the command once all solves of the tick are done [N m]
  Vector6d base_residual_ = Vector6d::Zero();
  Eigen::VectorXd integrated_angle_, integrated_rate_;
  bool is_held_ = false;
  Command command_;
};

/// Rate of momentum that loads and gravity produce together.
MomentumRate rate_of(const RobotTerms& terms, std::span<const Contact> contacts, std::span<const ContactLoad> loads);

}  // namespace aplomb
