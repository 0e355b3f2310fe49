#pragma once

#include "aplomb/present/identify_report.hpp"

namespace aplomb {

// The tables of an identification's report.
PageTable score_table(const Identification& found);
PageTable link_table(const RobotModel& cad, const Identification& found);  ///< link by link, CAD beside identified
/// What a table of base parameters shows of each combination.
struct BaseParameterValues {
  const std::vector<std::string>& names;
  const Eigen::VectorXd &cad, &identified;
  const LeastSquares& plain;
};
PageTable base_parameter_table(const BaseParameterValues& values);
PageTable base_parameter_table(const Identification& found);                   ///< with Student intervals
PageTable sensor_table(const RobotModel& cad, const SagittalModel* sagittal);  ///< may be null
PageTable found_bias_table(const std::vector<FoundBias>& biases);
PageTable bias_table(const std::vector<SensorBias>& biases);

}  // namespace aplomb
