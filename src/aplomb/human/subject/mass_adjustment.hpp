#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"

namespace aplomb {

struct MassAdjustmentOptions {
  double cutoff_hz = 4.0;
  std::vector<int> lost_markers;  ///< by frame: of pelvis and trunk; such frames count less. Empty: none
  bool is_frozen = false;         ///< true: nothing is fitted, all windows judge
  /// Standard deviations of the parameters about a mean body, in the order of MassParameters.
  MassParameters::Vector prior = (MassParameters::Vector() << 0.02, 0.01, 0.03, 0.05, 0.005, 0.01).finished();
};

/// Two fifths of the windows, the earlier ones and at least one, to fit on; the rest to judge. A single window is cut
/// in four, to fit on and to judge in turns.
void split_windows(const std::vector<FrameRange>& windows, std::vector<FrameRange>& fitted,
                   std::vector<FrameRange>& judged);

/// Gauss-Newton on CoP (x, y) and force (x, y, z) with the prior and Huber's loss, with slopes of half the cut-off as
/// instruments (the source says why). Samples count as 2 × cut-off independent ones a second. Judged on the windows
/// that the fit has not seen, then fitted on all. Without windows nothing is changed or accepted.
MassAdjustment adjust_masses(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                             const std::vector<FrameRange>& windows, const MassAdjustmentOptions& options);

}  // namespace aplomb
