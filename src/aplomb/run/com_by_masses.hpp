#pragma once

#include <string>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/run/run.hpp"

namespace aplomb {

/// A copy of a run's log with the CoM that the masses of another model give for the same executed motion, the base's
/// pose and the joint angles of each row: columns `com_NAME_x_m`, `com_NAME_y_m`, `com_NAME_z_m`   (Mistry et al. 2010,
/// Fig. 6 and 7). Sets the metric `com_NAME_error_max_m`, its largest horizontal distance from the simulator's CoM.
/// `model` must have the joints of the robot that was run.
Log with_com_by_masses(const Log& log, const RobotModel& model, const std::string& name, Metrics& metrics);

/// Adds both to a run: by the masses that its controller believed in, and by the CAD's.
void add_com_by_masses(RunResult& result, const RobotModel& believed, const RobotModel& cad);

}  // namespace aplomb
