#pragma once

#include "aplomb/report/plot.hpp"
#include "aplomb/run/run.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Report of one run: CoM against reference, CoP inside the soles, forces, the busiest joints, the controller's
/// signals. Its three-dimensional replay is made apart (scene/run_scene.hpp): it reads meshes.
ReportPage run_page(const RunResult& run);
ReportPage run_page(const RunResult& run, const Scenario& scenario);  ///< with the scenario's own text

}  // namespace aplomb
