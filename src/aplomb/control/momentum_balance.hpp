#pragma once

#include <array>
#include <optional>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/momentum_balance/contact_cops.hpp"
#include "aplomb/control/momentum_balance/contact_forces.hpp"
#include "aplomb/control/momentum_balance/joint_accelerations.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/control/momentum_balance/torque_limits.hpp"
#include "aplomb/control/rise/plan_follower.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Keeps a torque-controlled robot's balance by its momentum   (Lee & Goswami 2010). Each tick:
///   wanted rates of linear and angular momentum → the force of each foot → its CoP → the rates that these admit
///   → joint accelerations → torques, so that the base needs none.
/// It is told neither pushes nor how the ground moves. docs/momentum_balance.md has the equations and what differs from
/// the paper. With a plan it stands up from a chair (`controller.kind: inverse_dynamics`, docs/sit_to_stand.md): the
/// seat's force is the plan's share of what all contacts shall do, and the feet do the rest.
class MomentumBalance final : public Controller {
 public:
  struct Settings {
    ContactForces::Mode mode = ContactForces::Mode::lexicographic;
    double gain_scale = 1.0;
    std::optional<Eigen::Vector3d> com_damping, com_stiffness;  ///< absent: by rule, from the robot's height
    std::optional<double> angular_damping;                      ///< likewise
    ComReference com_reference;
    BalanceContacts::Settings contacts;
    PlanReference plan;  ///< to follow instead of a posture and `com_reference`
  };

  /// `start` is the posture to keep. `model` must outlive this object. Throws InvalidValue on a robot without soles or
  /// with position-controlled joints.
  MomentumBalance(const RobotModel& model, const RobotState& start, const Settings& settings);

  const Command& step(const SensorReadings& readings) override;
  void correct(const ModelCorrection& correction) override { terms_.correct(correction); }
  std::string_view fallback(Sensor sensor) const override;
  std::span<const Signal> signals() const override { return report_.signals(); }
  ControllerReport report() const override { return {.metrics = report_.metrics()}; }

  /// What the angular momentum about the CoM shall be from now on, world axes [N m s]; zero unless told.
  void track_angular_momentum(const Eigen::Vector3d& reference) { angular_momentum_reference_ = reference; }

  const MomentumReport::Tick& tick() const { return tick_; }     ///< the last one
  std::span<const ContactLoad> loads() const { return loads_; }  ///< in the order of `contacts()`
  std::span<const Contact> contacts() const { return contacts_.contacts(); }
  const Vector6d& base_residual() const { return base_residual_; }  ///< what the base would have to push [N, N m]

 private:
  void want_momentum(double time_s);
  ComTarget com_target(double time_s) const;
  MomentumRate seat_rate() const;
  bool distribute();
  bool accelerate(const RobotState& state);
  bool solve_accelerations();
  bool respect_torque_limits();
  MomentumRate rate_of_loads() const;
  void write_torque();
  void integrate(const RobotState& state);
  void record_tick();

  const RobotModel* model_;
  Settings settings_;
  double height_, omega_;
  BalanceGains gains_;
  BalanceContacts contacts_;
  std::optional<PlanFollower> follower_;
  RobotTerms terms_;
  std::vector<ContactLoad> loads_;
  ContactForces forces_;
  ContactCops cops_;
  JointAccelerations accelerations_;
  TorqueLimits torque_limits_;
  Eigen::Vector3d angular_momentum_reference_ = Eigen::Vector3d::Zero();  ///< k*
  double lowered_ = 0.0;  ///< how far the CoM's reference was lowered because only a step would help [m]
  Eigen::VectorXd posture_;
  JointAccelerations::Posture posture_request_;
  JointAccelerations::Apart apart_;
  Eigen::VectorXd reaction_;  ///< Σ Jᵀ w of the loads, all rows
  Vector6d base_residual_ = Vector6d::Zero();
  Eigen::VectorXd integrated_angle_, integrated_rate_;
  Command command_;
  MomentumReport report_;
  MomentumReport::Tick tick_;
};

}  // namespace aplomb
