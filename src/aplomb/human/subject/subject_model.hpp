#pragma once

#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/human/subject/marker_set.hpp"
#include "aplomb/robot/kinematics/point_equations.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A marker as it sits on one subject.
struct BodyMarker {
  std::string label;                                         ///< as in the recording
  std::string landmark;                                      ///< empty: somewhere on the segment
  int segment = 0;                                           ///< of the skeleton
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();          ///< in the segment's frame [m]
  double weight = 1.0;                                       ///< in the fit of a frame
  Eigen::Vector3d generic_offset = Eigen::Vector3d::Zero();  ///< where the generic body has it, in that segment's frame
  double deviation = 0.01;  ///< of `offset` from there (scaled), before anything was measured [m]
};

/// A skeleton of one subject's size with the markers on it.
struct SubjectModel {
  Skeleton skeleton;
  std::vector<BodyMarker> markers;
};

/// The generic body of this height, with the markers of a recording where a mean body would have them.
SubjectModel generic_subject(SkeletonSize size, Sex sex, double height, double mass, const LabelMatch& match,
                             const std::vector<std::string>& labels);

/// The body of the robot (0: base, i + 1: joint i) that each segment is.
std::vector<int> segment_bodies(const Skeleton& skeleton, const RobotModel& robot);

/// The skeleton's couplings as the robot's.
JointCouplings skeleton_couplings(const Skeleton& skeleton, const RobotModel& robot);

}  // namespace aplomb
