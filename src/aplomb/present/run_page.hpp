#pragma once

#include "aplomb/report/plot.hpp"
#include "aplomb/run/run.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Report of one run: CoM and its reference, CoP inside the soles, forces, the most loaded joints, the controller's
/// signals. The three-dimensional replay is separate (scene/run_scene.hpp), since it reads meshes.
ReportPage run_page(const RunResult& run);
ReportPage run_page(const RunResult& run, const Scenario& scenario);  ///< with the scenario's description and YAML

}  // namespace aplomb
