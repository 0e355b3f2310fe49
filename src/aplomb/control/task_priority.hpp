#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "aplomb/control/contact/load_cells.hpp"
#include "aplomb/control/controller.hpp"
#include "aplomb/control/joints/joint_bounds.hpp"
#include "aplomb/control/joints/servo_gains.hpp"
#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/control/task_priority/task_priority_report.hpp"
#include "aplomb/control/task_priority/zmp_feedback.hpp"
#include "aplomb/control/tasks/com_task.hpp"
#include "aplomb/control/tasks/pose_task.hpp"
#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/profile/limited_motion.hpp"
#include "aplomb/motion/step_plan.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/solvers/task_hierarchy.hpp"

namespace aplomb {

/// Moves a position-controlled humanoid by joint increments from a strict hierarchy   (Galdeano et al. 2014):
///   bounds of the joints > pose of one foot relative to the other > CoM, shifted by the ZMP's error
///   > the user's tasks, level by level > a comfortable posture.
/// Everything is reckoned from the commanded configuration. docs/task_priority.md has the equations and what differs
/// from the paper. A torque-controlled robot gets drives that behave like position servos.
class TaskPriority final : public Controller {
 public:
  enum class ZmpError { body, feet };    ///< of the whole body, or as printed: of each foot, weighted by its load
  enum class Comfort { middle, start };  ///< of the joints' ranges, as printed, or the posture at the start

  struct Settings {
    ComReference com_reference;
    StepPlan steps;
    std::vector<TaskSpec> tasks;
    bool is_trunk_upright = true;  ///< a level for the trunk's orientation, above the user's tasks
    bool has_zmp_feedback = true;
    ZmpError zmp_error = ZmpError::body;
    std::optional<double> zmp_kp, zmp_kd_s, zmp_bandwidth;  ///< absent: by rule
    double gain_scale = 1.0;                                ///< of zmp_kp
    Comfort comfort = Comfort::start;
    double comfort_gain = 4.0;        ///< β [rad²/s]
    double joint_margin = 0.01;       ///< kept from the joints' limits [rad]
    double torque_scale = 1.0;        ///< how much stronger than their limits the drives are taken to be
    double joint_acceleration = 0.0;  ///< limit [rad/s²]; 0: by rule, from the joint's speed
  };

  /// `start` is the posture to begin with. `model` must outlive this object. Throws InvalidValue on a robot without
  /// two soles, on a start outside of the joints' limits, on tasks that the robot cannot have.
  TaskPriority(const RobotModel& model, const RobotState& start, const Settings& settings);

  const Command& step(const SensorReadings& readings) override;
  std::string_view fallback(Sensor sensor) const override;
  std::span<const Signal> signals() const override { return report_.signals(); }
  void add_metrics(Metrics& metrics) const override { report_.add_metrics(metrics); }
  void add_to_page(ReportPage& page) const override { report_.add_to_page(page); }
  void add_faults(std::vector<Fault>& faults) const override;

  const StandingKinematics& kinematics() const { return kinematics_; }
  const HierarchyProblem& problem() const { return problem_; }  ///< of the last tick; unknown is q̇ − comfort
  const HierarchySolution& solution() const { return hierarchy_.solution(); }
  const Eigen::VectorXd& joint_rates() const { return rates_; }      ///< commanded q̇ [rad/s]
  const Eigen::VectorXd& comfort_rates() const { return comfort_; }  ///< what the last level wants [rad/s]
  const ZmpFeedback& zmp_feedback() const { return zmp_feedback_; }
  /// Of the ZMP loop, with this robot's height and drives.
  LoopMargins zmp_margins() const;

 private:
  static constexpr double kRankTolerance = 5e-3;  ///< below ten times this, over its longest row, a level is damped

  struct Level {
    std::vector<std::pair<Task*, double>> tasks;  ///< with √weight
    int rows = 0;
    Eigen::VectorXd patience;  ///< of each row: the share of its velocity that is asked for
  };

  void add_levels();
  void set_drives();
  void follow_references(double time_s);
  void regulate_zmp(const SensorReadings& readings);
  double balance_gate(const SensorReadings& readings) const;
  Eigen::Vector2d inside_support(const Eigen::Vector2d& point, double share) const;
  Eigen::Vector2d sole_size(int side) const;  ///< length, width [m]
  double planned_left_share() const;
  double keep_within_means(ComTarget& target);
  double lost_authority() const;
  void want_comfort();
  bool solve(const SensorReadings& readings);
  void lose_patience(Level& level, const HierarchyLevel& rows, std::size_t index);
  void write_command();

  const RobotModel* model_;
  Settings settings_;
  StandingKinematics kinematics_;
  double height_;
  ServoGains servo_;
  std::array<Eigen::Isometry3d, 2> start_feet_;
  ComTask com_task_;
  std::array<std::unique_ptr<PoseTask>, 2> foot_tasks_;
  std::vector<std::unique_ptr<Task>> user_tasks_;
  std::vector<Level> levels_;
  LoadCells load_cells_;
  ZmpFeedback zmp_feedback_;
  LimitedMotion com_way_, com_height_;  ///< the reference, horizontal and vertical, within speed and acceleration
  JointBounds bounds_;
  TaskHierarchy hierarchy_;
  HierarchyProblem problem_;
  StaticTorque static_torque_;
  Eigen::VectorXd rates_, increment_, comfort_, comfort_angles_, comfort_factor_, drift_, strain_;
  Eigen::VectorXd pull_, load_;  ///< of each drive's limit: how far its spring is bent by lag, static torque
  std::vector<bool> carries_body_;
  std::optional<Eigen::Vector3d> held_com_;  ///< the last reference that legs and drives were well able to follow
  double least_lost_ = std::numeric_limits<double>::infinity();  ///< of authority so far: 0, but for straight legs
  int yield_ticks_ = 0;
  bool is_careful_ = false;  ///< moves slowly, with torque to spare
  std::array<bool, 2> is_lifted_{};
  Eigen::Vector2d zmp_reference_ = Eigen::Vector2d::Zero();
  Command command_;
  TaskPriorityReport report_;
  TaskPriorityReport::Tick tick_;
};

}  // namespace aplomb
