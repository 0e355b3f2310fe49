#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Samples of one marker off its path: it jumps away and is back within 0.2 s, or does so at an end of its path; or it
/// is more than 100 m from the median of all samples. A jump: more than 2 cm + 200 m/s² dt² from the extrapolation of
/// the last two positions, as in `aplomb doctor`.
struct OutlyingRun {
  std::size_t point = 0;
  FrameRange frames;
  double distance_m = 0.0;  ///< largest distance from the expected position
};

struct MarkerOutliers {
  std::vector<OutlyingRun> runs;  ///< by first frame
  /// Frames at which most markers jump together and stay away for longer: a body cannot.
  std::vector<std::size_t> cuts;

  std::size_t num_samples() const;
  std::size_t num_frames() const;  ///< frames with at least one outlying sample
};

MarkerOutliers find_outliers(const Points& points);

/// The markers with these samples as gaps.
Points without(const MarkerOutliers& outliers, Points points);

/// "frame 512 (5.120 s): 51 markers, up to 1.0 m off", one line per interval of frames.
std::vector<std::string> outlier_lines(const Points& points, const MarkerOutliers& outliers);

}  // namespace aplomb
