#include "aplomb/run/com_by_masses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

Log with_com_by_masses(const Log& log, const RobotModel& model, const std::string& name, Metrics& metrics) {
  std::vector<std::string> columns = log.columns();
  const std::size_t num_logged = columns.size();
  for (const char* axis : {"x", "y", "z"}) columns.push_back(fmt::format("com_{}_{}_m", name, axis));
  std::vector<std::size_t> sources;  // of q: base position, quaternion, joints
  for (const char* axis : {"x", "y", "z"}) sources.push_back(log.index(fmt::format("base_{}_m", axis)));
  for (const char* part : {"x", "y", "z", "w"}) sources.push_back(log.index(fmt::format("base_quaternion_{}", part)));
  for (const Joint& joint : model.joints()) sources.push_back(log.index(fmt::format("position_{}_rad", joint.name)));
  const std::size_t com_x = log.index("com_x_m"), com_y = log.index("com_y_m");
  Log longer(std::move(columns));
  longer.reserve(log.num_rows());
  RobotState state = model.neutral_state();
  RobotTerms terms(model, {});
  std::vector<double> row(num_logged + 3);
  double error = 0.0;
  for (std::size_t i = 0; i < log.num_rows(); ++i) {
    for (std::size_t k = 0; k < num_logged; ++k) row[k] = log.at(i, k);
    for (std::size_t k = 0; k < sources.size(); ++k) state.q[static_cast<Eigen::Index>(k)] = log.at(i, sources[k]);
    terms.update(state);
    for (std::size_t k = 0; k < 3; ++k) row[num_logged + k] = terms.com()[static_cast<Eigen::Index>(k)];
    error = std::max(error, std::hypot(terms.com().x() - row[com_x], terms.com().y() - row[com_y]));
    longer.append(row);
  }
  metrics.set(fmt::format("com_{}_error_max_m", name), error);
  return longer;
}

void add_com_by_masses(RunResult& result, const RobotModel& believed, const RobotModel& cad) {
  result.log = with_com_by_masses(result.log, believed, "believed", result.result.metrics);
  result.log = with_com_by_masses(result.log, cad, "cad", result.result.metrics);
}

}  // namespace aplomb
