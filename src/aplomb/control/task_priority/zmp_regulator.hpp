#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/control/contact/load_cells.hpp"
#include "aplomb/control/joints/servo_gains.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/control/task_priority/standing_support.hpp"
#include "aplomb/control/task_priority/zmp_feedback.hpp"

namespace aplomb {

/// Regulates the ZMP that the load cells measure by shifting the CoM (ZmpFeedback). The feedback fades out where a
/// shift would turn feet or joints instead of moving the CoM: ZMP at the edge of the support, robot rocking, drive
/// yielding.
class ZmpRegulator {
 public:
  /// `height`: of the CoM above the soles [m]. `model`, `kinematics` and `support` must outlive this object.
  ZmpRegulator(const RobotModel& model, const StandingKinematics& kinematics, const StandingSupport& support,
               const ServoGains& servo, const TaskPriority::Settings& settings, double height);

  /// `spring_load`: largest torque of a lagging servo spring, over its limit. Never allocates.
  void update(const SensorReadings& readings, const Eigen::Vector2d& zmp_reference, double spring_load,
              Fallbacks& fallbacks);

  const Eigen::Vector2d& shift() const { return feedback_.shift(); }        ///< shift of the CoM [m]
  const Eigen::Vector2d& velocity() const { return feedback_.velocity(); }  ///< velocity of the shift [m/s]
  const Eigen::Vector2d& reference() const { return reference_; }           ///< ZMP reference, plan frame [m]
  const Eigen::Vector2d& measured() const { return measured_; }             ///< ZMP by the load cells, plan frame [m]
  double left_share() const { return load_cells_.left_share(); }            ///< left foot's share of the load
  double gate() const { return gate_; }  ///< weight of the measured ZMP error, 0 to 1

  LoopMargins margins() const { return feedback_.margins(sway_); }
  void add_faults(std::vector<Fault>& faults) const;

 private:
  void measure(const Eigen::Vector2d& zmp_reference);
  double gate_for(const SensorReadings& readings, double spring_load, Fallbacks& fallbacks) const;

  const RobotModel* model_;
  const StandingKinematics* kinematics_;
  const StandingSupport* support_;
  TaskPriority::ZmpError error_;
  bool is_printed_;
  double largest_shift_;  ///< TaskPriority::Settings::com_shift
  LoadCells load_cells_;
  ZmpFeedback::Sway sway_;
  ZmpFeedback feedback_;
  Eigen::Vector2d reference_ = Eigen::Vector2d::Zero(), measured_ = Eigen::Vector2d::Zero();
  double gate_ = 1.0;
};

}  // namespace aplomb
