#pragma once

#include <string>

#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// The subject as an OpenSim model (.osim, version 4): bodies with their masses, joints with the coordinates of
/// `angles.mot`, which OpenSim plays on it, and markers. OpenSim's axes are x forward, y up, z to the right: every
/// frame is turned by the same rotation, (x, y, z) → (x, z, −y). Coordinates that follow others are coupled by
/// constraints. Labels that OpenSim does not accept as names have underscores in their place.
std::string osim_text(const SubjectModel& subject);

}  // namespace aplomb
