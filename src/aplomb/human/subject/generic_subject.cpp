#include "aplomb/human/subject/generic_subject.hpp"

#include <algorithm>

namespace aplomb {
namespace {

// Weight of mid-thigh markers, which soft tissue moves by centimetres over the bone (others: 1).
constexpr double kThighWeight = 0.2;

bool is_soft(const MarkerPlace& place) { return place.landmark.empty() && place.segment.ends_with("_thigh"); }

}  // namespace

SubjectModel generic_subject(SkeletonSize size, Sex sex, double height, double mass, const LabelMatch& match,
                             const std::vector<std::string>& labels) {
  SubjectModel subject{.skeleton = make_skeleton(size, sex, height, mass)};
  const double factor = height / kGenericHeight;
  for (const LabelMatch::Marker& marker : match.markers) {
    const int segment = subject.skeleton.segment(marker.place.segment_of(size));
    const Eigen::Vector3d generic = marker.place.generic_position - subject.skeleton.generic_origin(segment);
    subject.markers.push_back({.label = labels[marker.point],
                               .landmark = marker.place.landmark,
                               .segment = segment,
                               .offset = factor * generic,
                               .weight = is_soft(marker.place) ? kThighWeight : 1.0,
                               .generic_offset = generic,
                               .deviation = marker.place.deviation});
  }
  return subject;
}

JointCouplings skeleton_couplings(const Skeleton& skeleton, const RobotModel& robot) {
  std::vector<const Coordinate*> of_joint(static_cast<std::size_t>(robot.num_joints()));
  for (const Segment& segment : skeleton.segments) {
    for (const Coordinate& angle : segment.coordinates)
      of_joint[static_cast<std::size_t>(robot.joint(angle.name))] = &angle;
  }
  JointCouplings couplings;
  couplings.column.assign(of_joint.size(), -1);
  couplings.ratio.assign(of_joint.size(), 1.0);
  for (std::size_t i = 0; i < of_joint.size(); ++i) {
    if (of_joint[i]->follows.empty()) couplings.column[i] = couplings.num_free++;
  }
  for (std::size_t i = 0; i < of_joint.size(); ++i) {
    if (of_joint[i]->follows.empty()) continue;
    couplings.column[i] = couplings.column[static_cast<std::size_t>(robot.joint(of_joint[i]->follows))];
    couplings.ratio[i] = of_joint[i]->ratio;
  }
  return couplings;
}

}  // namespace aplomb
