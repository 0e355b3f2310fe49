#pragma once

#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Finds swapped labels, that is two markers with large residuals at once, each close to the other's expected position,
/// and markers with residuals above 6 cm. Runs separated by up to five frames are one fault; sorted by first frame.
std::vector<LabelFault> find_label_faults(const SubjectModel& subject, const RobotModel& robot,
                                          const MarkerTrack& track, const MotionFit& fit);

/// Exchanges the positions of swapped labels.
void undo_swaps(const std::vector<LabelFault>& faults, const SubjectModel& subject, MarkerTrack& track);

}  // namespace aplomb
