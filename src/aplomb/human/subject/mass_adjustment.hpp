#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"

namespace aplomb {

struct MassAdjustmentOptions {
  double cutoff_hz = 4.0;
  std::vector<int> lost_markers;  ///< missing pelvis and trunk markers by frame; such frames weigh less. Empty: none
  bool is_frozen = false;         ///< true: nothing is fitted, all windows validate
  /// Prior standard deviations about a mean body, in the order of MassParameters [m, m, m, 1, m, m]. Smaller values
  /// stay closer to the mean body; larger ones let errors of the fitted motion into the masses.
  MassParameters::Vector prior = (MassParameters::Vector() << 0.02, 0.01, 0.03, 0.05, 0.005, 0.01).finished();
};

/// Splits windows for fit and validation: the first two fifths, at least one, are fitted; the rest is held out. A
/// single window is divided into four parts, alternately fitted and held out.
void split_windows(const std::vector<FrameRange>& windows, std::vector<FrameRange>& fitted,
                   std::vector<FrameRange>& judged);

/// Fits the mass parameters to CoP (x, y) and force (x, y, z) by Gauss-Newton with the prior and Huber's loss;
/// derivatives low-passed at half the cut-off are the instrumental variables (see the source for the reason). Samples
/// count as 2 × cut-off independent ones per second. Validated on the held-out windows, then fitted on all. Without
/// windows nothing is changed or accepted.
MassAdjustment adjust_masses(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                             const std::vector<FrameRange>& windows, const MassAdjustmentOptions& options);

}  // namespace aplomb
