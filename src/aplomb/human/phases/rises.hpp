#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Finds rises from the motion alone. High and low phases are divided where the hips cross 35 % of their range; a low
/// phase is sitting, not a squat, when the CoP required by the motion is behind the heels. Seat-off is 50 ms after the
/// CoM's largest forward speed, seat-on 50 ms before its largest backward speed.
Rises rises_of_motion(const SegmentMotion& segments, const CentroidalMotion& body);

/// Finds rises with plates. The force missing on the foot plates, m (g + z̈) − F_z, is that of another contact: it
/// begins and ends at 5 % of body weight, and counts when it reaches 15 %. A plate under the seat is used directly,
/// from 1 % on. A contact counts as a seat when the hips are low. `mass` is the mass from the plates (plate_mass.hpp).
Rises rises_of_plates(const SegmentMotion& segments, const CentroidalMotion& body, const GroundForces& forces,
                      double mass);

/// Intervals of at least 0.2 s in which the plates carry the whole body, shortened by 50 ms where another contact ends
/// or begins.
std::vector<FrameRange> complete_windows(const CentroidalMotion& body, const GroundForces& forces, double mass);

}  // namespace aplomb
