#pragma once

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/force_plate.hpp"

namespace aplomb {

/// The force plates of a C3D file (types 1 to 4), which must outlive them; its unit and up axis must be decided. A
/// plate of another type, or whose parameters are too short, is refused; the others are kept. A file without the group
/// FORCE_PLATFORM has no plates.
ForcePlates plates_of(const C3dFile& file, const PlateOptions& options);

}  // namespace aplomb
