#pragma once

#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/estimate/base_estimator.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Base estimate of a recorded log.
struct EstimatedLog {
  Log log;                         ///< one row for each reading since the estimate has started
  Metrics metrics;                 ///< docs/metrics.md, "Base estimate"
  std::vector<std::string> notes;  ///< sensors that the log does not have, one sentence each
};

/// Runs a BaseEstimator over a log of a robot's sensors (docs/simulation.md has its columns), which begins at rest.
/// Where the log also has the measured orientation of the base (`base_quaternion_x` … `_w`), the tilt is compared with
/// it. Throws FileError on missing columns, which it names, on times that are not those of a constant rate, on a log
/// that ends before the estimate has started.
EstimatedLog estimate_log(const TableFile& file, const RobotModel& robot, const BaseEstimator::Settings& settings);

}  // namespace aplomb
