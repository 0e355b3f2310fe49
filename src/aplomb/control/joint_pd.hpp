#pragma once

#include <memory>
#include <span>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

struct ControllerContext;
struct ControllerKind;

/// Holds a posture with a spring and a damper at each joint, and supports the weight by a feed-forward torque:
///   τ = k (q* − q) − d q̇ + τ_static(q, measured fraction of the weight on each foot; a seat carries the rest)
/// Spring and damper act in the drives (see Command). A position-controlled robot has its own springs and dampers;
/// there the feed-forward becomes an offset of the commanded angle, τ_static / k.
///
/// With a plan q*(t) moves and the damper acts on the velocity error, without any feed-forward, as in Mistry et al.
/// 2010, or with the torques of the plan's inverse dynamics.
///
/// The gains scale with the robot's size. With m its mass and h its CoM's height:
///   a joint between base and sole carries the body:  k = 2.5 m g h,  d = 0.27 k / ω0,  ω0 = √(g/h);
///   any other joint moves its own branch:            k = ω² M_jj,    d = 2 ω M_jj,    ω = 5 ω0;
///   a joint between the base and a hand that pushes off an arm rest in the plan: at least the first k and d, times the
///   largest fraction of body weight on that hand.
class JointPd final : public Controller {
 public:
  struct Settings {
    double gain_scale = 1.0;     ///< multiplies springs and dampers
    bool finds_chair = false;    ///< adapts the plan to a chair of a different height
    PlanReference plan;          ///< followed instead of a posture
    bool feeds_forward = false;  ///< adds the torques of the plan's inverse dynamics
    /// Stiffness of the leg joints [m g h]. A rigid body on two ankles sways at √(2 · 2.5 − 1) = 2 ω0; with half the
    /// stiffness at 1.2 ω0, with double at 3 ω0; below 0.5 it falls over.
    double leg_stiffness = 2.5;
    /// Damping of the leg joints [k / ω0]: that sway has a damping ratio of 0.27 · 5 / (2 · 2) = 0.34; 0.17 with half
    /// the damping, 0.68 with double. Tuned.
    double leg_damping = 0.27;
    /// Natural frequency of the other joints [ω0], critically damped; above the 2 ω0 of the sway, so that arms and
    /// trunk move with the body. Tuned.
    double branch_frequency = 5.0;
  };
  /// Holds the posture `hold` (only its joint angles are used). `model` must outlive this object. Throws InvalidValue
  /// on a gain_scale that is not positive.
  JointPd(const RobotModel& model, const RobotState& hold, const Settings& settings);
  ~JointPd() override;

  /// `controller.joint_pd`, completed with the references of a scenario.
  static Settings settings_from(const ControllerContext& context);
  static ControllerKind kind();  ///< keys of its settings block, and how a scenario constructs it

  const Command& step(const SensorReadings& readings) override;
  void correct(const ModelCorrection& correction) override;
  std::span<const Fallback> fallbacks() const override;

  void hold(const Eigen::VectorXd& angle);  ///< holds these joint angles from the next tick on; never allocates
  const Eigen::VectorXd& damping() const;   ///< of the dampers [N m s/rad]

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
