#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// From the motion alone. The hips go up and down through 35 % of their range; a low phase is a seat, and not a squat,
/// when the CoP that the motion would need is behind the heels. Seat-off is 50 ms after the CoM is fastest forwards,
/// seat-on 50 ms before it is fastest backwards.
Rises rises_of_motion(const SegmentMotion& segments, const CentroidalMotion& body);

/// With plates. What no foot plate carries, m (g + z̈) − F_z, is another contact's: it begins and ends at 5 % of the
/// weight, and counts when it reaches 15 %. With a plate under the seat its own force tells, from 1 % on. A contact is
/// a seat when the hips are low. `mass` is the mass that the plates tell (plate_mass.hpp).
Rises rises_of_plates(const SegmentMotion& segments, const CentroidalMotion& body, const GroundForces& forces,
                      double mass);

/// Stretches of at least 0.2 s in which the plates carry all of the body: none but plates were touched, less 50 ms at
/// each side where another contact ends or begins.
std::vector<FrameRange> complete_windows(const CentroidalMotion& body, const GroundForces& forces, double mass);

}  // namespace aplomb
