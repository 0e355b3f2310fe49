#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

struct GroundForceOptions {
  double cutoff_hz = 4.0;
  double lag_s = 0.0;                                              ///< delay of the plates behind the markers [s]
  Eigen::Isometry3d T_motion_lab = Eigen::Isometry3d::Identity();  ///< from the recording's frame to the motion's
};

/// Filters force and moment of every plate at the plate's own rate, rotates them into the motion's frame and resamples
/// them at its frames. Each loaded interval of a plate is assigned to a foot or the seat by the position of its CoP.
GroundForces ground_forces(const std::vector<std::unique_ptr<ForcePlate>>& plates, const SegmentMotion& segments,
                           const GroundForceOptions& options);

}  // namespace aplomb
