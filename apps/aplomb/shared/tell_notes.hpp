#pragma once

#include "aplomb/run/run.hpp"

namespace aplomb {

/// Prints the first notes of a run; those on the robot's own model, which `aplomb info` lists, are only counted.
void tell_notes(const RunResult& run);

}  // namespace aplomb
