#pragma once

#include <filesystem>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/scene.hpp"

namespace aplomb {

/// Writes a log as MCAP, which Foxglove and PlotJuggler open. Messages are JSON; time is the log's `time_s`:
///   /log           every column that has a value, at the log's rate
/// and, with a scene, at up to 100 Hz
///   /tf            foxglove.FrameTransforms: the pose of every node in its parent
///   /joint_states  name, position
///   /markers       CoM, its reference, ZMP, CoP: points in the world
///   /wrenches      every contact and push: point of application and force, in the world
///   /scene         foxglove.SceneUpdate: shapes, once; points and forces, in every frame
/// Throws FileError; UnknownName when the column `time_s` or one used by the scene is missing.
void write_mcap(const Log& log, const Scene* scene, const std::filesystem::path& file);

}  // namespace aplomb
