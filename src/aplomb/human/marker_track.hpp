#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "aplomb/demonstration/points.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// Where a subject's markers were, frame by frame, in the subject's frame (x forward, y left, z up) [m]; NaN in a gap,
/// and for a marker that the recording lacks.
struct MarkerTrack {
  double rate_hz = 0.0;
  double start_s = 0.0;
  std::size_t num_markers = 0;
  std::vector<Eigen::Vector3d> positions;  ///< [frame][marker]

  std::size_t num_frames() const { return num_markers == 0 ? 0 : positions.size() / num_markers; }
  std::span<const Eigen::Vector3d> frame(std::size_t index) const {
    return {positions.data() + index * num_markers, num_markers};
  }
  std::size_t num_seen(std::size_t index) const;
};

/// Turns the lab about its vertical axis so that the subject faces x:  x_subject = R x_lab. The direction is that of
/// the left markers from the right ones, over all frames; within 15 degrees of an axis of the lab it is that axis.
/// Throws InvalidValue when no marker has its counterpart on the other side.
Eigen::Matrix3d facing(const Points& points, const LabelMatch& match);

/// The subject's markers in a recording, by label.
MarkerTrack track_markers(const Points& points, const SubjectModel& subject, const Eigen::Matrix3d& R_subject_lab);

}  // namespace aplomb
