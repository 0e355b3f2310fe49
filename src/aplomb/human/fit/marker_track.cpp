#include "aplomb/human/fit/marker_track.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/human/marker_set.hpp"

namespace aplomb {
namespace {

/// Index of the point of each label in a recording.
std::map<std::string, std::size_t> points_by_label(const Points& points) {
  std::map<std::string, std::size_t> by_label;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (points.is_marker(i)) by_label.emplace(plain_label(points.labels[i]), i);
  }
  return by_label;
}

/// Points of all left markers and their right counterparts.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const Points& points, const SubjectModel& subject) {
  const std::map<std::string, std::size_t> by_label = points_by_label(points);
  std::map<std::string, std::size_t> left, right;
  for (const BodyMarker& marker : subject.markers) {
    const auto found = by_label.find(plain_label(marker.label));
    if (found == by_label.end()) continue;
    if (marker.landmark.starts_with("left_")) left[marker.landmark.substr(5)] = found->second;
    if (marker.landmark.starts_with("right_")) right[marker.landmark.substr(6)] = found->second;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [name, point] : left) {
    if (const auto twin = right.find(name); twin != right.end()) pairs.emplace_back(point, twin->second);
  }
  return pairs;
}

}  // namespace

std::size_t MarkerTrack::num_seen(std::size_t index) const {
  std::size_t count = 0;
  for (const Eigen::Vector3d& position : frame(index)) count += position.allFinite() ? 1 : 0;
  return count;
}

void fade_at_gaps(MarkerTrack& track) {
  constexpr double kFade = 0.15;  // [s] duration of the fade
  const std::size_t frames = track.num_frames();
  const double reach = std::max(1.0, kFade * track.rate_hz);
  track.trust.assign(track.positions.size(), 1.0F);
  std::vector<double> distance(frames);
  for (std::size_t marker = 0; marker < track.num_markers; ++marker) {
    const auto is_seen = [&](std::size_t frame) {
      return track.positions[frame * track.num_markers + marker].allFinite();
    };
    // Distance to the nearest gap in frames, in both directions; the ends of a recording are not gaps.
    double far = reach;
    for (std::size_t frame = 0; frame < frames; ++frame) distance[frame] = far = is_seen(frame) ? far + 1.0 : 0.0;
    far = reach;
    for (std::size_t frame = frames; frame-- > 0;) {
      far = is_seen(frame) ? far + 1.0 : 0.0;
      const double part = std::min({1.0, distance[frame] / reach, far / reach});
      track.trust[frame * track.num_markers + marker] = static_cast<float>(part * part * (3.0 - 2.0 * part));
    }
  }
}

Eigen::Matrix3d facing(const Points& points, const SubjectModel& subject) {
  const auto pairs = pairs_of(points, subject);
  Eigen::Vector2d left = Eigen::Vector2d::Zero();
  const std::size_t stride = std::max<std::size_t>(1, points.num_frames / 500);
  for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
    for (const auto& [one, other] : pairs) {
      const Eigen::Vector3d across = points.position(frame, one) - points.position(frame, other);
      if (across.allFinite()) left += across.head<2>();
    }
  }
  if (left.norm() == 0.0) {
    throw InvalidValue(
        "no frame shows a left marker and its right counterpart: the direction the subject faces is unknown; check the "
        "labels with `aplomb doctor`");
  }
  double yaw = std::atan2(left.y(), left.x()) - 0.5 * std::numbers::pi;
  const double quarter = 0.5 * std::numbers::pi;
  const double nearest = quarter * std::round(yaw / quarter);
  constexpr double kSnap = 15.0 / 180.0 * std::numbers::pi;
  if (std::abs(yaw - nearest) < kSnap) yaw = nearest;
  const double c = std::cos(yaw), s = std::sin(yaw);
  Eigen::Matrix3d R_subject_lab;
  R_subject_lab << c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0;
  return R_subject_lab;
}

MarkerTrack track_markers(const Points& points, const SubjectModel& subject, const Eigen::Matrix3d& R_subject_lab) {
  const std::map<std::string, std::size_t> by_label = points_by_label(points);
  MarkerTrack track{.rate_hz = points.rate_hz, .start_s = points.start_s, .num_markers = subject.markers.size()};
  const Eigen::Vector3d gap = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  track.positions.assign(points.num_frames * track.num_markers, gap);
  for (std::size_t marker = 0; marker < subject.markers.size(); ++marker) {
    const auto found = by_label.find(plain_label(subject.markers[marker].label));
    if (found == by_label.end()) continue;
    for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
      track.positions[frame * track.num_markers + marker] = R_subject_lab * points.position(frame, found->second);
    }
  }
  return track;
}

std::vector<int> lost_trunk_markers(const MarkerTrack& track, const SubjectModel& subject) {
  constexpr double kMargin = 0.1;  // [s] added on both sides of a gap
  const auto margin = static_cast<std::size_t>(std::lround(kMargin * track.rate_hz));
  const std::size_t count = track.num_frames();
  std::vector<int> lost(count, 0);
  std::vector<char> is_lost(count);
  for (std::size_t i = 0; i < track.num_markers; ++i) {
    const std::string& name = subject.skeleton.segments[static_cast<std::size_t>(subject.markers[i].segment)].name;
    if (name != "pelvis" && name != "lumbar" && name != "thorax" && name.size() > 3) continue;
    std::ranges::fill(is_lost, 0);
    std::size_t seen = 0;
    for (std::size_t frame = 0; frame < count; ++frame) {
      if (track.frame(frame)[i].allFinite()) {
        ++seen;
        continue;
      }
      const std::size_t first = frame - std::min(frame, margin), last = std::min(count - 1, frame + margin);
      for (std::size_t near = first; near <= last; ++near) is_lost[near] = 1;
    }
    if (seen == 0) continue;
    for (std::size_t frame = 0; frame < count; ++frame) lost[frame] += is_lost[frame];
  }
  return lost;
}

}  // namespace aplomb
