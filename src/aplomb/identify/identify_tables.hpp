#pragma once

#include "aplomb/identify/identify_report.hpp"

namespace aplomb {

// The tables of an identification's report.
PageTable score_table(const Identification& found);
PageTable link_table(const RobotModel& cad, const Identification& found);  ///< link by link, CAD beside identified
PageTable base_parameter_table(const Identification& found);               ///< with Student intervals
PageTable sensor_table(const RobotModel& cad, const Identification& found);
PageTable bias_table(const std::vector<SensorBias>& biases);

}  // namespace aplomb
