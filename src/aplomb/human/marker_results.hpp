#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "aplomb/human/human_motion.hpp"

namespace aplomb {

/// Where a subject's markers were, frame by frame, in the subject's frame (x forward, y left, z up) [m]; NaN in a gap,
/// and for a marker that the recording lacks.
struct MarkerTrack {
  double rate_hz = 0.0;
  double start_s = 0.0;
  std::size_t num_markers = 0;
  std::vector<Eigen::Vector3d> positions;  ///< [frame][marker]
  std::vector<float> trust;                ///< [frame][marker], 0 ... 1; empty: 1

  std::size_t num_frames() const { return num_markers == 0 ? 0 : positions.size() / num_markers; }
  std::span<const Eigen::Vector3d> frame(std::size_t index) const {
    return {positions.data() + index * num_markers, num_markers};
  }
  std::span<const float> frame_trust(std::size_t index) const {
    return trust.empty() ? std::span<const float>() : std::span(trust.data() + index * num_markers, num_markers);
  }
  std::size_t num_seen(std::size_t index) const;
};

/// The postures of a whole recording.
struct MotionFit {
  HumanMotion motion;
  std::vector<double> residuals;  ///< [frame][marker], NaN in a gap [m]
  std::size_t num_markers = 0;
  std::size_t unconverged_frames = 0;
  std::size_t unseen_frames = 0;  ///< with fewer than three markers: the posture before is kept

  double residual(std::size_t frame, std::size_t marker) const { return residuals[frame * num_markers + marker]; }
};

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

/// Markers that are not where the body says, over some frames.
struct LabelFault {
  std::string label;
  std::string other;  ///< the label that it was swapped with; empty: it is merely off
  std::size_t first_frame = 0, last_frame = 0;
  double distance_m = 0.0;  ///< largest, from where the body has it
};

}  // namespace aplomb
