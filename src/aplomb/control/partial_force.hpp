#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

struct ControllerKind;
struct ForceProblem;
struct ForceSolution;
struct PartialForceTick;

/// Gains of a motion task, ẍ* = ẍ_r + kd (ẋ_r − ẋ) + kp (x_r − x)   (Del Prete et al. 2014, sect. III-A). Defaults: 10
/// rad/s, critically damped. With the paper's kp = 10 and kd = 5, CoMan falls under a push that joint springs alone
/// would withstand.
struct MotionGains {
  double kp = 100.0;  ///< [1/s²]
  double kd = 20.0;   ///< [1/s]
};

/// Controls the motion and a part of the contact forces of a torque-controlled robot, in strict order
/// (Del Prete et al. 2014): rigid contacts and forces, limbs that move freely, the CoM, the posture.
/// docs/partial_force.md has the equations and the differences from the paper.
class PartialForce final : public Controller {
 public:
  enum class Law {
    closed_form,  ///< as published: without limits
    bounded,      ///< the closed form; where it violates a limit, the hierarchy with the limits in it
  };
  /// Motion levels in their initial order, highest priority first.
  enum Level : std::size_t { kLimbs, kCom, kPosture };
  /// Order of the motion levels from `start_s` on, highest priority first.
  struct LevelChange {
    double start_s = 0.0;
    std::vector<std::size_t> order;
  };
  struct LevelRampSettings {
    double ramp_s = 0.5;       ///< least duration of a change of order; 0: at once, with a torque jump
    double torque_rate = 0.5;  ///< bound on the torque rate that it causes, over the robot's weight [m/s]
  };
  enum class FootShape { flat, edge, point };
  struct FootSettings {
    double friction = 0.8;        ///< Coulomb coefficient
    double ramp_s = 0.1;          ///< least time to load or unload it fully; 0: at once
    double load_rate = 6.0;       ///< bound on the rate of its load [weights of the robot / s]
    std::vector<FootStep> steps;  ///< steps of this foot, in order of time
    FootShape shape = FootShape::flat;
    double cop_margin =
        0.05;  ///< least distance of the CoP from each edge, as a fraction of the sole's length or width
  };
  struct HandSettings {
    Eigen::Vector3d wall_point = Eigen::Vector3d::Zero();  ///< a point of the wall, as the controller assumes it [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();     ///< unit length, towards the robot
    double friction = 0.5;                                 ///< Coulomb coefficient
    HandForce force;
    bool has_feedback = false;  ///< the measured force is fed back; if false, it is not used at all
    double force_gain = 20.0;   ///< gain of the integral of the force error [1/s]; tuned
    double seek_speed = 0.02;   ///< speed towards the wall without contact [m/s]; the impact grows with it
  };
  struct Settings {
    Law law = Law::bounded;
    MotionGains gains;          ///< gains of the CoM and of limbs that move freely
    MotionGains posture_gains;  ///< gains of the posture
    double gain_scale = 1.0;
    ComReference com_reference;              ///< where it prescribes no height, the posture determines it
    std::vector<LevelChange> level_changes;  ///< in order of time
    LevelRampSettings level_ramp;
    double solve_budget = 0.0;  ///< of a solve with limits, in factorisations of all its rows; 0: none
    std::array<FootSettings, 2> feet;
    std::array<std::optional<HandSettings>, 2> hands;
  };

  /// Holds the posture `start` as far as the other tasks allow. `model` must outlive this object. Throws InvalidValue
  /// on a robot without soles or with position-controlled joints.
  PartialForce(const RobotModel& model, const RobotState& start, const Settings& settings);
  PartialForce(PartialForce&&) noexcept;
  ~PartialForce() override;

  static ControllerKind kind();  ///< keys of its settings block, and how a scenario constructs it

  const Command& step(const SensorReadings& readings) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

  const ForceProblem& problem() const;    ///< problem of the last tick
  const ForceSolution& solution() const;  ///< solution of the last tick
  const PartialForceTick& tick() const;   ///< last tick that was solved

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
