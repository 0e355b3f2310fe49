#pragma once

#include <string>
#include <vector>

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/recording/points.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Follows each of `labels` through the postures and adds those to `subject` that ride on one segment: it varies there
/// by less than 3 cm, and by less than 0.8 of what it does on the next best.
std::vector<UnknownLabel> attach_markers(const Points& points, const std::vector<std::string>& labels,
                                         const Eigen::Matrix3d& R_subject_lab, const MotionFit& fit,
                                         const RobotModel& robot, SubjectModel& subject);

}  // namespace aplomb
