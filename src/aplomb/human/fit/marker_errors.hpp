#pragma once

#include <string>
#include <vector>

#include "aplomb/human/fit/motion_fit.hpp"

namespace aplomb {

/// How far the body's markers are from the measured ones.
struct MarkerErrors {
  struct One {
    std::string label, segment;
    double rms_m = 0.0, max_m = 0.0;
    std::size_t frames = 0;  ///< in which it was seen
  };
  double rms_m = 0.0;            ///< over all markers and frames
  double p95_frame_m = 0.0;      ///< 95 % of the frames have a smaller root mean square
  double worst_m = 0.0;          ///< root mean square of the worst marker
  std::vector<One> markers;      ///< those that were seen at all
  std::vector<double> frames_m;  ///< root mean square of each frame; NaN without a marker
};

MarkerErrors marker_errors(const SubjectModel& subject, const MotionFit& fit);

}  // namespace aplomb
