#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

struct GroundForceOptions {
  double cutoff_hz = 4.0;
  double lag_s = 0.0;  ///< how much later the plates tell than the markers [s]
  Eigen::Isometry3d T_motion_lab = Eigen::Isometry3d::Identity();  ///< from the recording's frame to the motion's
};

/// Filters force and moment of every plate at the plate's own rate, turns them into the motion's frame and takes them
/// at the motion's times. Which foot, or whether a seat, stands on a plate is told by where its CoP is, for each time
/// that it is loaded anew.
GroundForces ground_forces(const std::vector<std::unique_ptr<ForcePlate>>& plates, const SegmentMotion& segments,
                           const GroundForceOptions& options);

}  // namespace aplomb
