#pragma once

#include "aplomb/core/scene.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// What a report replays of a run: robot, ground, chair, walls and supports, CoM and CoP, contact forces and pushes,
/// and what happened when. `log` is that of the same scenario's run. Reads the robot's meshes, so that it takes a
/// moment.
Scene make_run_scene(const Scenario& scenario, const Log& log);

}  // namespace aplomb
