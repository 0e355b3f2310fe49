#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/human/human_motion.hpp"

namespace aplomb {

/// Measured positions of a subject's markers by frame, in the subject's frame (x forward, y left, z up) [m]; NaN in
/// gaps and for markers that the recording lacks.
struct MarkerTrack {
  double rate_hz = 0.0;
  double start_s = 0.0;
  std::size_t num_markers = 0;
  std::vector<Eigen::Vector3d> positions;  ///< [frame][marker]
  std::vector<float> trust;                ///< weight factors [frame][marker], 0 ... 1; empty: all 1

  std::size_t num_frames() const { return num_markers == 0 ? 0 : positions.size() / num_markers; }
  std::span<const Eigen::Vector3d> frame(std::size_t index) const {
    return {positions.data() + index * num_markers, num_markers};
  }
  std::span<const float> frame_trust(std::size_t index) const {
    return trust.empty() ? std::span<const float>() : std::span(trust.data() + index * num_markers, num_markers);
  }
  std::size_t num_seen(std::size_t index) const;
};

/// Postures fitted to all frames of a recording.
struct MotionFit {
  HumanMotion motion;
  std::vector<double> residuals;  ///< [frame][marker], NaN in a gap [m]
  std::size_t num_markers = 0;
  std::size_t unconverged_frames = 0;
  std::size_t unseen_frames = 0;  ///< with fewer than three markers: the previous posture is kept

  double residual(std::size_t frame, std::size_t marker) const { return residuals[frame * num_markers + marker]; }
};

/// Distances between the model's markers and the measured ones.
struct MarkerErrors {
  struct One {
    std::string label, segment;
    double rms_m = 0.0, max_m = 0.0;
    std::size_t frames = 0;  ///< number of frames in which it was seen
  };
  double rms_m = 0.0;            ///< over all markers and frames
  double p95_frame_m = 0.0;      ///< 95th percentile of the frames' root mean square
  double worst_m = 0.0;          ///< root mean square of the worst marker
  std::vector<One> markers;      ///< markers seen in at least one frame
  std::vector<double> frames_m;  ///< root mean square of each frame; NaN without a marker
};

/// Change of the distances between markers of one segment, from a static trial or an earlier recording to this one.
/// Soft tissue changes some of them by 2 cm, another person nearly all.
struct DistanceChange {
  double upper_quartile_m = 0.0;              ///< three quarters of the distances change by less
  std::size_t num_pairs = 0;                  ///< distances compared
  double worst_m = 0.0;                       ///< largest change
  std::pair<std::string, std::string> worst;  ///< labels of that pair

  /// [m] Largest accepted upper quartile. The same person's were 2 to 8 mm (three people, six trials of sitting,
  /// standing and walking: soft tissue and noise), another person's 17 to 40 mm (twelve exchanges of static trials).
  static constexpr double kLimit = 0.012;
  bool is_same_person() const { return upper_quartile_m < kLimit; }
};

/// A marker far from the model's, over some frames.
struct LabelFault {
  std::string label;
  std::string other;  ///< the label it is swapped with; empty: no swap
  std::size_t first_frame = 0, last_frame = 0;
  double distance_m = 0.0;  ///< largest distance from the model's marker
};

}  // namespace aplomb
