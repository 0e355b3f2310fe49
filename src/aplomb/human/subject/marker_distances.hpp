#pragma once

#include <optional>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Compares the distances of markers on one segment between a trial and `still`, a static trial; none when fewer than
/// six pairs of markers are in both. `subject` has the segments of the markers.
std::optional<DistanceChange> distance_change(const Points& trial, const Points& still, const SubjectModel& subject);

/// The same against the markers' places on a subject that was scaled to an earlier recording.
std::optional<DistanceChange> distance_change(const Points& trial, const SubjectModel& subject);

}  // namespace aplomb
