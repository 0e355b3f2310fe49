#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Fades every marker out before a gap and in after it, over 0.15 s: the posture then does not jump when a marker comes
/// or goes, which twice differentiated would be a large force.
void fade_at_gaps(MarkerTrack& track);

/// Turns the lab about its vertical axis so that the subject faces x:  x_subject = R x_lab. The direction is that of
/// the left markers from the right ones, over all frames; within 15 degrees of an axis of the lab it is that axis.
/// Throws InvalidValue when no marker has its counterpart on the other side.
Eigen::Matrix3d facing(const Points& points, const SubjectModel& subject);

/// The subject's markers in a recording, by label.
MarkerTrack track_markers(const Points& points, const SubjectModel& subject, const Eigen::Matrix3d& R_subject_lab);

/// By frame: how many markers of pelvis and trunk (of those that the recording has) are missing, or are within 0.1 s.
/// Half of the body rides on these.
std::vector<int> lost_trunk_markers(const MarkerTrack& track, const SubjectModel& subject);

}  // namespace aplomb
