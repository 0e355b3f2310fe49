#include "aplomb/human/skin_drift.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kSmooth = 0.1;    // [s] to each side
constexpr double kLargest = 0.04;  // [m] more is no skin but a wrong marker

}  // namespace

SkinDrift::SkinDrift(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track,
                     const MotionFit& fit)
    : num_markers_(track.num_markers), num_frames_(track.num_frames()) {
  find_complete_frames(subject, track);
  if (!is_needed_) return;
  drift_.assign(track.positions.size(), Eigen::Vector3d::Zero());
  const std::vector<int> bodies = segment_bodies(subject.skeleton, robot);
  TreeKinematics tree(robot);
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    tree.update(fit.motion.q.col(static_cast<Eigen::Index>(frame)));
    for (std::size_t i = 0; i < num_markers_; ++i) {
      const BodyMarker& marker = subject.markers[i];
      const int body = bodies[static_cast<std::size_t>(marker.segment)];
      const Eigen::Vector3d away =
          tree.rotation(body).transpose() * (track.frame(frame)[i] - tree.point(body, marker.offset));
      if (away.allFinite() && away.norm() < kLargest) drift_[frame * num_markers_ + i] = away;
    }
  }
  for (std::size_t i = 0; i < num_markers_; ++i) {
    fill(i, complete_[static_cast<std::size_t>(subject.markers[i].segment)]);
    smooth(i, static_cast<std::size_t>(std::lround(kSmooth * track.rate_hz)));
  }
}

void SkinDrift::find_complete_frames(const SubjectModel& subject, const MarkerTrack& track) {
  complete_.assign(subject.skeleton.segments.size(), std::vector<char>(num_frames_, 1));
  for (std::size_t i = 0; i < num_markers_; ++i) {
    std::vector<char>& is_complete = complete_[static_cast<std::size_t>(subject.markers[i].segment)];
    std::size_t seen = 0;
    for (std::size_t frame = 0; frame < num_frames_; ++frame) seen += track.frame(frame)[i].allFinite() ? 1 : 0;
    if (seen == 0) continue;  // not in this recording
    for (std::size_t frame = 0; frame < num_frames_; ++frame) {
      if (track.frame(frame)[i].allFinite()) continue;
      is_complete[frame] = 0;
      is_needed_ = true;
    }
  }
}

/// Linear between complete frames, constant beyond the first and the last one; zero when there is none.
void SkinDrift::fill(std::size_t marker, const std::vector<char>& is_complete) {
  const auto value = [&](std::size_t frame) -> Eigen::Vector3d& { return drift_[frame * num_markers_ + marker]; };
  std::size_t before = num_frames_;
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    if (is_complete[frame] != 0) {
      before = frame;
      continue;
    }
    std::size_t after = frame;
    while (after < num_frames_ && is_complete[after] == 0) ++after;
    const bool has_before = before < num_frames_, has_after = after < num_frames_;
    for (std::size_t i = frame; i < after; ++i) {
      if (has_before && has_after) {
        const double part = static_cast<double>(i - before) / static_cast<double>(after - before);
        value(i) = (1.0 - part) * value(before) + part * value(after);
      } else {
        value(i) = has_before ? value(before) : has_after ? value(after) : Eigen::Vector3d::Zero().eval();
      }
    }
    frame = after - 1;
  }
}

void SkinDrift::smooth(std::size_t marker, std::size_t reach) {
  std::vector<Eigen::Vector3d> sums(num_frames_ + 1, Eigen::Vector3d::Zero());
  for (std::size_t frame = 0; frame < num_frames_; ++frame) sums[frame + 1] = sums[frame] + at(frame, marker);
  for (std::size_t frame = 0; frame < num_frames_; ++frame) {
    // As far to one side as to the other, so that a steady drift keeps its time.
    const std::size_t side = std::min({reach, frame, num_frames_ - 1 - frame});
    drift_[frame * num_markers_ + marker] =
        (sums[frame + side + 1] - sums[frame - side]) / static_cast<double>(2 * side + 1);
  }
}

}  // namespace aplomb
