#pragma once

#include "aplomb/report/scene.hpp"
#include "aplomb/run/run.hpp"

namespace aplomb {

/// The replay of a run: robot, ground, chair, walls and supports, CoM and CoP, contact forces and pushes, and events.
/// Reads the robot's meshes, which takes some time.
Scene make_run_scene(const RunResult& run);

}  // namespace aplomb
