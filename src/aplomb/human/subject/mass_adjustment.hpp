#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"

namespace aplomb {

struct MassAdjustmentOptions {
  double cutoff_hz = 4.0;
  std::vector<int> lost_markers;  ///< missing pelvis and trunk markers by frame; such frames weigh less. Empty: none
  Matrix3Xd marker_variance;      ///< of the CoM by axis and frame, due to the markers [m²]; empty: none
  bool is_frozen = false;         ///< true: nothing is fitted, all windows validate
  /// Prior standard deviations about a mean body, in the order of MassParameters [m, m, m, 1, m, m]. Smaller values
  /// stay closer to the mean body; larger ones let errors of the fitted motion into the masses. Thighs: de Leva (1996)
  /// and Dumas et al. (2007) differ by 1 % (women) and 13 % (men).
  MassParameters::Vector prior = (MassParameters::Vector() << 0.02, 0.01, 0.03, 0.08, 0.005, 0.01).finished();
};

/// Splits windows for fit and validation: the first two fifths, at least one, are fitted; the rest is held out. A
/// single window is divided into four parts, alternately fitted and held out.
void split_windows(const std::vector<FrameRange>& windows, std::vector<FrameRange>& fitted,
                   std::vector<FrameRange>& judged);

/// A motion with the plates' forces and the windows in which they carry the whole body.
struct PlateTrial {
  const SegmentMotion& segments;
  const Skeleton& mean_body;  ///< with the mass from the plates
  const GroundForces& forces;
  const std::vector<FrameRange>& windows;
  MassAdjustmentOptions options;
};

/// Fits the mass parameters to CoP (x, y) and force (x, y, z) by Gauss-Newton with the prior and Huber's loss;
/// derivatives low-passed at a quarter of the cut-off are the instrumental variables (see the source for the reason).
/// Samples count as 2 × cut-off independent ones per second. Validated on the held-out windows, then fitted on all.
/// Without windows nothing is changed or accepted.
MassAdjustment adjust_masses(const PlateTrial& trial);

/// The same for at least two trials of one person, who has one mass distribution: each trial is judged by the
/// parameters that the others give, in all its windows; the result is fitted to all trials.
std::vector<MassAdjustment> adjust_masses_together(const std::vector<PlateTrial>& trials);

}  // namespace aplomb
