#pragma once

#include <string>
#include <vector>

#include "aplomb/human/fit/motion_fit.hpp"

namespace aplomb {

/// Markers that are not where the body says, over some frames.
struct LabelFault {
  std::string label;
  std::string other;  ///< the label that it was swapped with; empty: it is merely off
  std::size_t first_frame = 0, last_frame = 0;
  double distance_m = 0.0;  ///< largest, from where the body has it
};

/// Swapped labels: two markers far off at once, each where the other belongs. Others that are more than 6 cm off.
/// Runs of frames with gaps of up to five frames are one fault. In the order of their first frames.
std::vector<LabelFault> find_label_faults(const SubjectModel& subject, const RobotModel& robot,
                                          const MarkerTrack& track, const MotionFit& fit);

/// Gives swapped labels their own positions back.
void undo_swaps(const std::vector<LabelFault>& faults, const SubjectModel& subject, MarkerTrack& track);

}  // namespace aplomb
