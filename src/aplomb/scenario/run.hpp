#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aplomb/core/plot.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// All that one run of a scenario leaves: `report/` writes it.
struct RunOutput {
  Result result;
  Log log;
  ReportPage page;
  std::vector<std::string> signals;  ///< the log's columns that the controller logs (Controller::signals)
};

/// Runs a scenario to its end, or until the robot has fallen. `on_progress` gets the simulated time now and then.
/// Throws Error when scenario and robot do not fit together, Interrupted on Ctrl-C.
RunOutput run_scenario(const Scenario& scenario, const std::function<void(double time_s)>& on_progress = {});

}  // namespace aplomb
