#pragma once

#include <string>
#include <vector>

#include "aplomb/human/fit/motion_fit.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// What was found of a label that no marker set knows.
struct UnknownLabel {
  std::string label;
  std::string segment;         ///< the segment in whose frame it moves least; empty when it was never seen
  double deviation_m = 0.0;    ///< how much it moves there
  std::string second_segment;  ///< the next best
  double second_deviation_m = 0.0;
  bool is_attached = false;  ///< it moves rigidly with the first, and clearly more with the second
};

/// Follows each of `labels` through the postures and adds those to `subject` that ride on one segment: it varies there
/// by less than 3 cm, and by less than 0.8 of what it does on the next best.
std::vector<UnknownLabel> attach_markers(const Points& points, const std::vector<std::string>& labels,
                                         const Eigen::Matrix3d& R_subject_lab, const MotionFit& fit,
                                         const RobotModel& robot, SubjectModel& subject);

}  // namespace aplomb
