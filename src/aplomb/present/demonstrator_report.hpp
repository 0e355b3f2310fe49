#pragma once

#include <filesystem>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/demonstrator/record.hpp"

namespace aplomb {

/// Ground truth, one row per frame: time, CoM and its velocity, ZMP, the forces of both plates, the load fraction of
/// the seat, hip position, pelvis orientation, and every joint angle by its name.
Log truth_of(const Demonstration& demonstration);

/// Writes into a folder that exists: motion.csv (truth_of), scales.csv (each segment's joint, scale and mass),
/// markers.csv (true position of each marker on its segment), events.csv, swaps.csv and human.urdf. Throws FileError.
void write_truth(const Demonstration& demonstration, const DemonstratedRecording& recording,
                 const std::filesystem::path& folder);

/// Metrics of a demonstration. It is not judged: no option makes it physically infeasible (the demonstrator's own tests
/// check that, for everybody and every style).
Result describe(const Demonstration& demonstration, const DemonstratedRecording& recording);

}  // namespace aplomb
