#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/step_plan.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

struct ControllerKind;
struct HierarchyProblem;
struct HierarchySolution;
struct LoopMargins;
class StandingKinematics;

/// Moves a position-controlled humanoid by joint increments from a strict hierarchy   (Galdeano et al. 2014):
///   joint bounds > pose of one foot relative to the other > CoM, shifted by the ZMP feedback
///   > the user's tasks, level by level > a comfortable posture.
/// All kinematics are those of the commanded configuration. docs/task_priority.md has the equations and the differences
/// from the paper. A torque-controlled robot gets drive gains that make its joints behave like position servos.
class TaskPriority final : public Controller {
 public:
  /// Error of the whole-body ZMP, or, as printed in the paper, that of each foot's ZMP, weighted by the foot's load.
  enum class ZmpError { body, feet };
  /// Comfortable posture: the middle of the joint ranges, as printed, or the posture at the start.
  enum class Comfort { middle, start };

  struct Settings {
    /// The paper's own law: three levels and nothing else (feet, CoM with the PD law of eq. 13 on the ZMP error of (9)
    /// to (12), comfort about the middle of the ranges), the whole Newton step every millisecond, without bounds,
    /// filter, governor and user tasks. `zmp_kp` (0.02 where absent), `zmp_kd_s` (0) and `comfort_gain` hold; the keys
    /// for what it does not have do nothing.
    bool as_printed = false;
    ComReference com_reference;
    StepPlan steps;
    std::vector<TaskSpec> tasks;
    bool is_trunk_upright = true;  ///< a level for the trunk's orientation, above the user's tasks
    bool has_zmp_feedback = true;
    ZmpError zmp_error = ZmpError::body;
    std::optional<double> zmp_kp, zmp_kd_s, zmp_bandwidth;  ///< Kp [1], Kd [s], ωn [rad/s]; absent: by rule
    double gain_scale = 1.0;                                ///< multiplies zmp_kp
    Comfort comfort = Comfort::start;
    double comfort_gain = 4.0;        ///< β [rad²/s]
    double joint_margin = 0.01;       ///< distance kept from the joint limits [rad]
    double torque_scale = 1.0;        ///< factor on the drives' nominal torque limits
    double joint_acceleration = 0.0;  ///< limit [rad/s²]; 0: by rule, from the joint's speed limit
    /// Rate at which a CoM error decays [1/s]: by 63 % in 20 ms; with half the rate in 40 ms, with double in 10 ms.
    /// Unstable above 2000 = 2 / control period. The paper's full Newton step corresponds to 1000: the CoM is the same
    /// to 0.1 mm, but its motion is not smooth after jumps.
    double com_rate_per_s = 50.0;
    /// Speed limit of the CoM reference, over √(g h): the capture point is at most this many heights h ahead of the
    /// CoM.
    double com_speed = 0.15;
    /// Horizontal acceleration limit of the CoM reference, over l g / h: its ZMP is at most this many sole lengths l
    /// away from it, so within com_reach + 2 · 0.15 = 0.8 of the half length, where the ZMP feedback begins to fade
    /// out.
    double com_acceleration = 0.15;
    double com_reach = 0.5;  ///< the CoM reference stays within the support with its soles scaled by this
    /// Largest shift of the CoM by the ZMP feedback, over the half size of the support; 0: none, 1: to the edge. Tuned.
    double com_shift = 0.6;
  };

  /// `start` is the posture to begin with. `model` must outlive this object. Throws InvalidValue on a robot without
  /// two soles, on a start outside of the joint limits, on tasks that do not fit the robot.
  TaskPriority(const RobotModel& model, const RobotState& start, const Settings& settings);
  ~TaskPriority() override;

  static ControllerKind kind();  ///< keys of its settings block, and how a scenario constructs it

  const Command& step(const SensorReadings& readings) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

  const StandingKinematics& kinematics() const;  ///< kinematics of the commanded configuration
  const HierarchyProblem& problem() const;       ///< problem of the last tick; the unknown is q̇ − comfort
  const HierarchySolution& solution() const;
  const Eigen::VectorXd& joint_rates() const;  ///< commanded q̇ [rad/s]
  LoopMargins zmp_margins() const;             ///< margins of the ZMP loop, with this robot's height and drives

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
