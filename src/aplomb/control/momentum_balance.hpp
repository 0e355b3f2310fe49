#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/controller.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

struct ControllerContext;
struct ControllerKind;
struct MomentumTick;

/// Balances a torque-controlled robot by controlling its momentum   (Lee & Goswami 2010). Each tick:
///   desired rates of linear and angular momentum → the force of each foot → its CoP → the admissible rates
///   → joint accelerations → torques that leave no residual wrench on the base.
/// Pushes and the motion of the ground are not measured. docs/momentum_balance.md has the equations and the differences
/// from the paper.
class MomentumBalance final : public Controller {
 public:
  /// Priority of the momentum rates where the contacts cannot produce both.
  enum class Mode {
    lexicographic,  ///< the linear rate first, then the angular rate, then the smallest forces
    weighted,       ///< a weighted sum of all three, as printed in the paper; one foot alone: by its own rule
  };
  enum class Arms {
    used,      ///< arms swing to keep the balance
    excluded,  ///< arms keep to their posture, as in the paper
  };
  /// A wall or rail that the hands may lean on.
  struct Plane {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< a point of the plane, world frame [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();   ///< unit length, towards the robot
    double friction = 0.8;                               ///< Coulomb coefficient
  };
  struct ContactSettings {
    std::array<double, 2> friction{0.8, 0.8};  ///< Coulomb coefficient of the ground under the left and right foot
    std::vector<Plane> planes;                 ///< if empty, hands are no contacts
    double ramp_s = 0.02;                      ///< time in which a contact is added or removed [s]
    /// Least distance of the CoP from each edge of the sole, as fractions of its length and width. Smaller margins
    /// admit larger momentum rates, but a foot tips sooner. Tuned.
    double cop_margin_length = 0.07, cop_margin_width = 0.08;
  };
  struct Settings {
    /// The paper's own law and nothing else: `weighted`, arms excluded, printed gains (unless stated), eq. 14 and 15 as
    /// they stand, no limits of joints and torques, no lowering of the CoM.
    bool as_printed = false;
    Mode mode = Mode::lexicographic;
    Arms arms = Arms::used;
    std::optional<double> foot_stiffness, foot_damping;  ///< kp, kd of eq. 15; absent: a foot in the air is free
    double gain_scale = 1.0;
    std::optional<Eigen::Vector3d> com_damping, com_stiffness;  ///< absent: computed from the CoM's height
    std::optional<double> angular_damping;                      ///< likewise
    std::optional<double> posture_stiffness, posture_damping;   ///< likewise [1/s²], [1/s]
    double integral_leak = 10.0;                                ///< MomentumTorques::Law [1/s]
    bool stepping = false;                                      ///< steps where nothing else keeps the balance
    ComReference com_reference;
    ContactSettings contacts;
  };

  /// `start` is the posture to keep. `model` must outlive this object. Throws InvalidValue on a robot without soles or
  /// with position-controlled joints.
  MomentumBalance(const RobotModel& model, const RobotState& start, const Settings& settings);
  MomentumBalance(MomentumBalance&&) noexcept;
  ~MomentumBalance() override;

  /// `controller.momentum_balance`, completed with the references of a scenario.
  static Settings settings_from(const ControllerContext& context);
  static ControllerKind kind();  ///< keys of its settings block, and how a scenario constructs it

  const Command& step(const SensorReadings& readings) override;
  void correct(const ModelCorrection& correction) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

  /// Sets the reference of the angular momentum about the CoM, world axes [N m s]; zero at first.
  void track_angular_momentum(const Eigen::Vector3d& reference);

  const MomentumTick& tick() const;            ///< last tick that was solved
  std::span<const ContactLoad> loads() const;  ///< in the order of `contacts()`
  std::span<const Contact> contacts() const;   ///< feet, then hands
  const Vector6d& base_residual() const;       ///< residual of the base's six rows of the equation of motion [N, N m]

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
