#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Estimates by how much each foot plate is off the place that its file states, and all of them together, from two
/// kinds of evidence:
///   the CoP in `windows`,  cop(p) − cop_plates = −Σ w_k d_k + error,   w_k: the plate's part of the vertical force;
///   p: mass parameters with their prior; d: shift of the plate
///   the mean CoP in the frame of each foot that stays planted, which is nearly the same for both feet of a person.
/// Only one hypothesis has a shift at a time; the result is the one farthest from zero in its standard deviations, none
/// without windows. `lost_markers` of pelvis and trunk by frame (empty: none): each adds as much error as a complete
/// frame has. `mean_body` is not adjusted to the plates.
std::optional<PlateShift> largest_plate_shift(const SegmentMotion& segments, const Skeleton& mean_body,
                                              const GroundForces& forces, const std::vector<FrameRange>& windows,
                                              const MassParameters::Vector& prior, double cutoff_hz,
                                              const std::vector<int>& lost_markers);

}  // namespace aplomb
