#include "aplomb/human/fit/attach_markers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kRigid = 0.03;       // [m] largest motion of skin over the bone
constexpr double kClearly = 0.8;      // largest ratio of its deviation on the best segment to that on the second best
constexpr std::size_t kFrames = 400;  // sampled frames, enough to distinguish segments
constexpr double kFewest = 10;        // frames in which the label must be seen

/// Mean and spread of a point in one body's frame.
struct Spread {
  double count = 0.0;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double squares = 0.0;

  void add(const Eigen::Vector3d& x) {
    count += 1.0;
    sum += x;
    squares += x.squaredNorm();
  }
  Eigen::Vector3d mean() const { return sum / count; }
  double deviation() const { return std::sqrt(std::max(0.0, squares / count - mean().squaredNorm())); }
};

/// Segments with at least one known marker; the motion of the others is not observed.
std::vector<int> shown_segments(const SubjectModel& subject) {
  std::set<int> shown;
  for (const BodyMarker& marker : subject.markers) shown.insert(marker.segment);
  return {shown.begin(), shown.end()};
}

}  // namespace

std::vector<UnknownLabel> attach_markers(const Points& points, const std::vector<std::string>& labels,
                                         const Eigen::Matrix3d& R_subject_lab, const MotionFit& fit,
                                         const RobotModel& robot, SubjectModel& subject) {
  const std::vector<int> segments = shown_segments(subject);
  const std::vector<int> bodies = segment_bodies(subject.skeleton, robot);
  std::vector<std::size_t> at;
  for (const std::string& label : labels) at.push_back(points.index(label));
  std::vector<Spread> spreads(labels.size() * segments.size());
  TreeKinematics tree(robot);
  const std::size_t stride = std::max<std::size_t>(1, points.num_frames / kFrames);
  for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
    tree.update(fit.motion.q.col(static_cast<Eigen::Index>(frame)));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Eigen::Vector3d x = R_subject_lab * points.position(frame, at[i]);
      if (!x.allFinite()) continue;
      for (std::size_t k = 0; k < segments.size(); ++k) {
        const int body = bodies[static_cast<std::size_t>(segments[k])];
        spreads[i * segments.size() + k].add(tree.rotation(body).transpose() * (x - tree.origin(body)));
      }
    }
  }
  std::vector<UnknownLabel> found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    UnknownLabel one{.label = labels[i]};
    std::vector<std::size_t> order(segments.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto spread = [&](std::size_t k) -> const Spread& { return spreads[i * segments.size() + k]; };
    if (spread(0).count >= kFewest && order.size() > 1) {
      std::ranges::sort(order, {}, [&](std::size_t k) { return spread(k).deviation(); });
      const auto name = [&](std::size_t k) {
        return subject.skeleton.segments[static_cast<std::size_t>(segments[k])].name;
      };
      one.segment = name(order[0]);
      one.deviation_m = spread(order[0]).deviation();
      one.second_segment = name(order[1]);
      one.second_deviation_m = spread(order[1]).deviation();
      one.is_attached = one.deviation_m < kRigid && one.deviation_m < kClearly * one.second_deviation_m;
    }
    if (one.is_attached) {
      const Eigen::Vector3d offset = spread(order[0]).mean();
      const int segment = segments[order[0]];
      const Eigen::Vector3d& scale = subject.skeleton.segments[static_cast<std::size_t>(segment)].scale;
      subject.markers.push_back({.label = labels[i],
                                 .segment = segment,
                                 .offset = offset,
                                 .weight = one.segment.ends_with("_thigh") ? 0.2 : 1.0,
                                 .generic_offset = offset.cwiseQuotient(scale),
                                 .deviation = kRigid});
    }
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace aplomb
