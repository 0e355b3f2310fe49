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

/// Gains of a motion task, ẍ* = ẍ_r + kd (ẋ_r − ẋ) + kp (x_r − x)   (Del Prete et al. 2014, sect. III-A). By default
/// ten radians a second, critically damped; with the paper's 10 and 5 a push fells CoMan that joint springs alone would
/// hold.
struct MotionGains {
  double kp = 100.0;  ///< [1/s²]
  double kd = 20.0;   ///< [1/s]
};

/// Controls the motion and a part of the contact forces of a torque-controlled robot, in strict order
/// (Del Prete et al. 2014): rigid contacts and forces, limbs that move freely, the CoM, the posture.
/// docs/partial_force.md has the equations and what differs from the paper.
class PartialForce final : public Controller {
 public:
  enum class Law {
    closed_form,  ///< as published: without limits
    bounded,      ///< the same, and where it violates a limit, the hierarchy with the limits in it
  };
  /// The levels of motion as they begin, the highest first.
  enum Level : std::size_t { kLimbs, kCom, kPosture };
  /// From `start_s` on the levels are in another order, the highest first.
  struct LevelChange {
    double start_s = 0.0;
    std::vector<std::size_t> order;
  };
  struct LevelRampSettings {
    double ramp_s = 0.5;       ///< least duration of a change of order; 0: at once, with a jump
    double torque_rate = 0.5;  ///< bound on the rate of a torque by it [N m / s for each newton of weight]
  };
  enum class FootShape { flat, edge, point };
  struct FootSettings {
    double friction = 0.8;        ///< Coulomb coefficient
    double ramp_s = 0.1;          ///< least time from all of its load to none; 0: roles are exchanged at once
    double load_rate = 6.0;       ///< bound on the rate of its load [weights of the robot / s]
    std::vector<FootStep> steps;  ///< its own, in order of time
    FootShape shape = FootShape::flat;
    double cop_margin = 0.05;  ///< part of the sole's length and width kept free of the CoP at each edge
  };
  struct HandSettings {
    Eigen::Vector3d wall_point = Eigen::Vector3d::Zero();  ///< a point of the wall, as believed [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();     ///< unit length, towards the robot
    double friction = 0.5;                                 ///< Coulomb coefficient
    HandForce force;
    bool has_feedback = false;  ///< the measured force is fed back; without, it is not used at all
    double force_gain = 20.0;   ///< of the fed-back integral [1/s]; tuned
    double seek_speed = 0.02;   ///< towards the wall while there is no contact [m/s]; impact grows with it
  };
  struct Settings {
    Law law = Law::bounded;
    MotionGains gains;          ///< of the CoM and of limbs that move freely
    MotionGains posture_gains;  ///< of the posture
    double gain_scale = 1.0;
    ComReference com_reference;              ///< where it prescribes no height, the posture determines it
    std::vector<LevelChange> level_changes;  ///< in order of time
    LevelRampSettings level_ramp;
    std::array<FootSettings, 2> feet;
    std::array<std::optional<HandSettings>, 2> hands;
  };

  /// Holds the posture `start` as far as all else leaves it free. `model` must outlive this object. Throws InvalidValue
  /// on a robot without soles or with position-controlled joints.
  PartialForce(const RobotModel& model, const RobotState& start, const Settings& settings);
  PartialForce(PartialForce&&) noexcept;
  ~PartialForce() override;

  static ControllerKind kind();  ///< its keys, and how a scenario makes it

  const Command& step(const SensorReadings& readings) override;
  std::string_view fallback(Sensor sensor) const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

  const ForceProblem& problem() const;    ///< of the last tick
  const ForceSolution& solution() const;  ///< of the last tick
  const PartialForceTick& tick() const;   ///< the last one that was solved

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
