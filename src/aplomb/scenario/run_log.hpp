#pragma once

#include <vector>

#include "aplomb/core/log.hpp"
#include "aplomb/core/plot.hpp"
#include "aplomb/scenario/observer.hpp"

namespace aplomb {

/// Writes a run tick by tick: base, joints, torques, CoM, feet. docs/scenarios.md lists the columns.
class RunLog {
 public:
  RunLog(const RobotModel& robot, std::size_t num_ticks);

  void append(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  const Log& log() const { return log_; }

  /// What a report draws of it: CoM against reference, CoP inside the soles, forces, the busiest joints.
  void add_plots(ReportPage& page) const;

 private:
  std::vector<std::string> busiest_joints(std::size_t count) const;

  const RobotModel* robot_;
  Log log_;
  std::vector<double> row_;
};

}  // namespace aplomb
