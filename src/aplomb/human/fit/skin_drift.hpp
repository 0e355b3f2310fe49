#pragma once

#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Displacement of each marker by skin motion, per frame, in the segment's frame. It is modelled as linear in the
/// angles of the segment's joints plus a slowly changing part. In frames in which a segment lacks a marker, the drift
/// of all of its markers is predicted from the complete frames, so that the fitted posture does not jump when markers
/// of a segment appear or disappear.
class SkinDrift {
 public:
  SkinDrift(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track, const MotionFit& fit);

  bool is_needed() const { return is_needed_; }  ///< a segment lacks a marker in some frame
  const Eigen::Vector3d& at(std::size_t frame, std::size_t marker) const {
    return drift_[frame * num_markers_ + marker];
  }

 private:
  void find_complete_frames(const SubjectModel& subject, const MarkerTrack& track);
  void add(std::size_t marker, const Eigen::Matrix3Xd& shifts);
  void fill(std::size_t marker, const std::vector<char>& is_complete);
  void smooth(std::size_t marker, std::size_t reach);

  std::size_t num_markers_, num_frames_;
  bool is_needed_ = false;
  std::vector<std::vector<char>> complete_;  ///< [segment][frame]
  std::vector<Eigen::Vector3d> drift_;       ///< [frame][marker]
};

}  // namespace aplomb
