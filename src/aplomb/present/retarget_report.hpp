#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/recording/mot_file.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/retarget/chair_search.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// Result, log and report of a retargeted motion.
struct RetargetOutput {
  Result result;
  Log log;
  ReportPage page;
};

/// Metrics and checks; plots of the CoM of person and robot over time and in the sagittal plane, and of the planned
/// ZMP; tables of corresponding segments and links, and of infeasible frames with their active limits.
RetargetOutput describe(const Retargeted& retargeted, const RobotModel& robot, const std::string& name);

/// Adds the search for the lowest chair that made this plan: its metrics, a note, and a table of the heights tried.
void add_chair_search(const ChairSearch& search, const Retargeted& retargeted, RetargetOutput& output);

/// The joint motion in OpenSim's format: base_tx, _ty, _tz [m], base_rotation, _tilt, _list [degrees] with
/// R = R_z(rotation) R_y(tilt) R_x(list), then one column per joint [degrees].
MotFile angles_of(const Trajectory& trajectory);

}  // namespace aplomb
