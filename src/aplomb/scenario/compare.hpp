#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "aplomb/scenario/overrides.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {

/// One controller's run of the scenario that all of them run.
struct ComparedRun {
  std::string controller;
  std::string error;  ///< why there is no run: robot and controller do not fit; empty: there is one
  RunResult output;
};

struct Comparison {
  std::string scenario, robot;
  std::string about, text;    ///< of the last controller's scenario
  double first_push_s = 0.0;  ///< from when on recovery counts
  std::vector<ComparedRun> runs;
};

/// Runs a scenario once with each controller; all else is the same. Keys under `controller.KIND` count for that kind
/// alone, so that any scenario will do. The runs share `planner`, or one of their own. Throws UnknownName on a
/// controller that does not exist.
Comparison compare_controllers(std::string_view scenario, const std::vector<std::string>& controllers,
                               std::vector<Override> overrides,
                               const std::function<void(std::size_t run, double time_s)>& on_progress = {},
                               RisePlanner* planner = nullptr);

/// Seconds from the first push until the CoM stays within 5 mm of its reference, seen from above; NaN when it does not.
double recovery_time(const ComparedRun& run, double first_push_s);

}  // namespace aplomb
