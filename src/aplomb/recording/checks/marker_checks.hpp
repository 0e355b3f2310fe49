#pragma once

#include <string>
#include <vector>

#include "aplomb/recording/points.hpp"

namespace aplomb {

struct MarkerReport {
  std::size_t point = 0;
  std::size_t num_missing = 0;       ///< frames
  std::size_t num_interpolated = 0;  ///< frames whose residual says that they were not measured (C3D)
  std::vector<FrameRange> gaps;      ///< the first 100
  std::size_t num_gaps = 0;
  std::size_t longest_gap = 0;     ///< frames
  std::vector<std::size_t> jumps;  ///< frames at which it is not where its motion led; the first 100
  std::size_t num_jumps = 0;
};

/// Two markers that jump into each other's place: their labels were exchanged from this frame on.
struct SuspectedSwap {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t frame = 0;
};

/// Two markers of one segment whose distance is not what it is elsewhere: one of the labels is wrong there.
struct SuspectedLabel {
  std::size_t a = 0;
  std::size_t b = 0;
  double usual_m = 0.0;
  double found_m = 0.0;  ///< where it is worst
  FrameRange frames;
};

struct MarkerChecks {
  std::vector<MarkerReport> markers;
  std::vector<SuspectedSwap> swaps;    ///< the first 200
  std::vector<SuspectedLabel> labels;  ///< the first 200
};

/// Nothing is mended here: gaps stay gaps, and faults are listed by frame.
MarkerChecks check_markers(const Points& points);

}  // namespace aplomb
