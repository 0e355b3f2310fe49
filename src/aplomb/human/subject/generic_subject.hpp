#pragma once

#include <string>
#include <vector>

#include "aplomb/human/marker_set.hpp"
#include "aplomb/human/subject_model.hpp"
#include "aplomb/robot/kinematics/point_equations.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The generic body of this height, with a recording's markers at their generic positions.
SubjectModel generic_subject(SkeletonSize size, Sex sex, double height, double mass, const LabelMatch& match,
                             const std::vector<std::string>& labels);

/// Couplings of the skeleton's coordinates, as couplings of the robot's joints.
JointCouplings skeleton_couplings(const Skeleton& skeleton, const RobotModel& robot);

}  // namespace aplomb
