#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Fades every marker out before a gap and in after it, over 0.15 s, so that the posture does not jump when a marker
/// appears or disappears: differentiated twice, a jump would be a large force.
void fade_at_gaps(MarkerTrack& track);

/// Rotation of the lab about its vertical axis so that the subject faces x:  x_subject = R x_lab. The lateral direction
/// is the mean from right to left markers over all frames; within 15 degrees of a lab axis it is set to that axis.
/// Throws InvalidValue when no marker has its counterpart on the other side.
Eigen::Matrix3d facing(const Points& points, const SubjectModel& subject);

/// The subject's markers in a recording, by label.
MarkerTrack track_markers(const Points& points, const SubjectModel& subject, const Eigen::Matrix3d& R_subject_lab);

/// Number of missing pelvis and trunk markers by frame, gaps extended by 0.1 s. Pelvis and trunk have half of the
/// body's mass.
std::vector<int> lost_trunk_markers(const MarkerTrack& track, const SubjectModel& subject);

}  // namespace aplomb
