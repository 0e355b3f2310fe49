#pragma once

#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Swapped labels: two markers far off at once, each where the other belongs. Others that are more than 6 cm off.
/// Runs of frames with gaps of up to five frames are one fault. In the order of their first frames.
std::vector<LabelFault> find_label_faults(const SubjectModel& subject, const RobotModel& robot,
                                          const MarkerTrack& track, const MotionFit& fit);

/// Gives swapped labels their own positions back.
void undo_swaps(const std::vector<LabelFault>& faults, const SubjectModel& subject, MarkerTrack& track);

}  // namespace aplomb
