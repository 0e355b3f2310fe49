#pragma once

#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// How far skin has carried each marker from its place on the bone, frame by frame, in the segment's frame. It goes
/// with the angles of the segment's joints, and what they do not explain changes slowly, so it is known in a gap too:
/// frames in which some marker of a segment is missing get the drift of all of its markers from the complete frames, by
/// their angles and by those before and after. A posture that is fitted with it does not move when markers of a segment
/// come and go.
class SkinDrift {
 public:
  SkinDrift(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track, const MotionFit& fit);

  bool is_needed() const { return is_needed_; }  ///< some segment is not complete in every frame
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
