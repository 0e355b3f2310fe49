#pragma once

#include <span>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Writes a run tick by tick: base, joints, torques, CoM, feet. docs/scenarios.md lists the columns.
class RunLog {
 public:
  /// `signals` are the controller's own columns, at the end; before them, of a plan, those of seat and plan.
  RunLog(const RobotModel& robot, std::span<const Signal> signals, std::size_t num_ticks,
         const Trajectory* plan = nullptr);

  void append(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque,
              std::span<const Signal> signals);
  const Log& log() const { return log_; }

 private:
  const RobotModel* robot_;
  bool is_rise_, has_person_, has_wrenches_;
  Log log_;
  std::vector<double> row_;
};

}  // namespace aplomb
