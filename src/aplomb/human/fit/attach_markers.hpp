#pragma once

#include <string>
#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/recording/points.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Adds those of `labels` to `subject` that move with one segment: their position in its frame deviates by less than
/// 3 cm, and by less than 0.8 of the deviation on the second-best segment.
std::vector<UnknownLabel> attach_markers(const Points& points, const std::vector<std::string>& labels,
                                         const Eigen::Matrix3d& R_subject_lab, const MotionFit& fit,
                                         const RobotModel& robot, SubjectModel& subject);

}  // namespace aplomb
