#pragma once

#include <functional>

#include "aplomb/run/run.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// As run_scenario, with a controller that the caller has made, e.g. one in another process (link/): `setup` is
/// make_setup(scenario, ...). `on_rows` as of run().
RunResult run_with_controller(const Scenario& scenario, const RunSetup& setup, Controller& controller,
                              const std::function<void(double time_s)>& on_progress = {},
                              const std::function<void(const Log&)>& on_rows = {});

}  // namespace aplomb
