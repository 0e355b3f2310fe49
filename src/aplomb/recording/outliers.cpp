#include "aplomb/recording/outliers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "aplomb/recording/checks/marker_path.hpp"

namespace aplomb {
namespace {

constexpr double kLargestLab = 100.0;  // [m] nothing is recorded farther from the middle of all samples
constexpr double kMost = 0.5;          // fraction of the seen markers that jump together when the recording is cut

/// Frames of a marker's path without a jump or a long gap.
struct Stretch {
  std::size_t first = 0, last = 0;
  bool jumps_in = false;  ///< it begins with a jump from the stretch before
};

/// Median of the marker samples, by axis: where the recording is, wherever its origin.
Eigen::Vector3d middle_of(const Points& points) {
  constexpr std::size_t kSamples = 20'000;
  const std::size_t stride = points.num_points() * points.num_frames / kSamples + 1;
  std::array<std::vector<double>, 3> values;
  for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
    for (std::size_t point = 0; point < points.num_points(); ++point) {
      if (!points.is_marker(point) || !points.is_seen(frame, point)) continue;
      const Eigen::Vector3d position = points.position(frame, point);
      for (std::size_t axis = 0; axis < 3; ++axis) values[axis].push_back(position[static_cast<Eigen::Index>(axis)]);
    }
  }
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (std::size_t axis = 0; axis < 3 && !values[axis].empty(); ++axis) {
    const auto at = values[axis].begin() + static_cast<std::ptrdiff_t>(values[axis].size() / 2);
    std::ranges::nth_element(values[axis], at);
    middle[static_cast<Eigen::Index>(axis)] = *at;
  }
  return middle.allFinite() ? middle : Eigen::Vector3d::Zero();
}

/// Finds the outlying samples of one marker.
class RunFinder {
 public:
  RunFinder(const Points& points, std::size_t point, const Eigen::Vector3d& middle, MarkerOutliers& found)
      : points_(points),
        point_(point),
        middle_(middle),
        dt_(1.0 / points.rate_hz),
        reach_(static_cast<std::size_t>(MarkerPath::kLongestGap / dt_ + 0.5)),
        path_(dt_),
        found_(found) {}

  /// Adds this marker's outlying runs; returns the frames at which it jumps for longer.
  std::vector<std::size_t> run() {
    for (std::size_t frame = 0; frame < points_.num_frames; ++frame) {
      if (!points_.is_seen(frame, point_)) continue;
      const Eigen::Vector3d position = points_.position(frame, point_);
      if (is_outside(position)) {
        const std::size_t last = last_outside(frame);
        add_run(frame, last);
        frame = last;
      } else if (!path_.is_known(frame)) {
        begin(frame, position, /*jumps_in=*/false);
      } else if (!path_.jumps(frame, position)) {
        path_.follow(frame, position);
        stretches_.back().last = frame;
      } else if (const std::size_t back = returns_at(frame); back < points_.num_frames) {
        add_run(frame, back - 1);
        frame = back - 1;
      } else {
        begin(frame, position, /*jumps_in=*/true);
      }
    }
    return short_stretches();
  }

 private:
  void begin(std::size_t frame, const Eigen::Vector3d& position, bool jumps_in) {
    path_.restart(frame, position);
    stretches_.push_back({frame, frame, jumps_in});
  }

  bool is_outside(const Eigen::Vector3d& position) const { return !((position - middle_).norm() < kLargestLab); }
  bool is_outside(std::size_t frame) const {
    return points_.is_seen(frame, point_) && is_outside(points_.position(frame, point_));
  }
  std::size_t last_outside(std::size_t frame) const {
    while (frame + 1 < points_.num_frames && is_outside(frame + 1)) ++frame;
    return frame;
  }

  /// First frame within 0.2 s after a jump in which the marker is on its path again, and nearer to it than to where it
  /// went; num_frames when there is none.
  std::size_t returns_at(std::size_t jump) const {
    if (!path_.has_velocity()) return points_.num_frames;  // one sample is no path
    MarkerPath away(dt_);
    away.restart(jump, points_.position(jump, point_));
    for (std::size_t frame = jump + 1; frame < points_.num_frames && path_.is_known(frame); ++frame) {
      if (!points_.is_seen(frame, point_) || is_outside(frame)) continue;
      const Eigen::Vector3d position = points_.position(frame, point_);
      const double to_path = (position - path_.expected(frame)).norm();
      if (to_path <= path_.tolerance(frame) && to_path < (position - away.expected(frame)).norm()) return frame;
      away.jumps(frame, position) ? away.restart(frame, position) : away.follow(frame, position);
    }
    return points_.num_frames;
  }

  void add_run(std::size_t first, std::size_t last) {
    OutlyingRun run{point_, {static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(last)}};
    for (std::size_t frame = first; frame <= last; ++frame) {
      if (!points_.is_seen(frame, point_)) continue;
      run.distance_m = std::max(run.distance_m, (points_.position(frame, point_) - path_.expected(frame)).norm());
    }
    found_.runs.push_back(run);
  }

  /// A stretch of at most 0.2 s beside a longer one from which a jump separates it is outlying; the jumps between the
  /// others are returned.
  std::vector<std::size_t> short_stretches() {
    const auto length = [&](std::size_t i) { return stretches_[i].last - stretches_[i].first + 1; };
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const bool has_before = stretches_[i].jumps_in;
      const bool has_after = i + 1 < stretches_.size() && stretches_[i + 1].jumps_in;
      const bool is_short = length(i) <= reach_;
      const bool is_outlying = is_short && ((has_before && length(i - 1) > length(i) && length(i - 1) > reach_) ||
                                            (has_after && length(i + 1) > reach_));
      if (is_outlying) {
        const std::size_t beside =
            has_before && length(i - 1) > reach_ ? stretches_[i - 1].last : stretches_[i + 1].first;
        path_.restart(0, points_.position(beside, point_));  // distances from where the longer stretch ends
        add_run(stretches_[i].first, stretches_[i].last);
      } else if (has_before && length(i - 1) > reach_) {
        jumps.push_back(stretches_[i].first);
      }
    }
    return jumps;
  }

  const Points& points_;
  std::size_t point_;
  Eigen::Vector3d middle_;
  double dt_;
  std::size_t reach_;  ///< frames in 0.2 s
  MarkerPath path_;
  std::vector<Stretch> stretches_;
  MarkerOutliers& found_;
};

std::size_t num_markers_seen(const Points& points, std::size_t frame) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.num_points(); ++i)
    count += points.is_marker(i) && points.is_seen(frame, i) ? 1 : 0;
  return count;
}

}  // namespace

std::size_t MarkerOutliers::num_samples() const {
  std::size_t count = 0;
  for (const OutlyingRun& run : runs) count += static_cast<std::size_t>(run.frames.size());
  return count;
}

std::size_t MarkerOutliers::num_frames() const {
  std::size_t count = 0;
  std::ptrdiff_t next = 0;  // the runs are sorted by their first frame
  for (const OutlyingRun& run : runs) {
    const std::ptrdiff_t first = std::max(run.frames.first, next);
    if (run.frames.last >= first) count += static_cast<std::size_t>(run.frames.last - first + 1);
    next = std::max(next, run.frames.last + 1);
  }
  return count;
}

MarkerOutliers find_outliers(const Points& points) {
  MarkerOutliers found;
  if (!(points.rate_hz > 0.0)) return found;
  const Eigen::Vector3d middle = middle_of(points);
  std::map<std::size_t, std::size_t> jumps;  // frame, number of markers
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i)) continue;
    for (const std::size_t frame : RunFinder(points, i, middle, found).run()) ++jumps[frame];
  }
  std::ranges::stable_sort(found.runs, {}, [](const OutlyingRun& run) { return run.frames.first; });
  for (const auto& [frame, count] : jumps) {
    const auto seen = static_cast<double>(num_markers_seen(points, frame));
    if (static_cast<double>(count) > kMost * seen) found.cuts.push_back(frame);
  }
  return found;
}

Points without(const MarkerOutliers& outliers, Points points) {
  for (const OutlyingRun& run : outliers.runs) {
    for (std::ptrdiff_t frame = run.frames.first; frame <= run.frames.last; ++frame) {
      const std::size_t at = static_cast<std::size_t>(frame) * points.num_points() + run.point;
      if (!points.seen_by.empty()) points.seen_by[at] = Points::kNotSeen;
      if (points.xyz.empty()) continue;
      std::fill_n(&points.xyz[3 * at], 3, std::numeric_limits<float>::quiet_NaN());
    }
  }
  return points;
}

std::vector<std::string> outlier_lines(const Points& points, const MarkerOutliers& outliers) {
  struct Group {
    std::vector<std::size_t> markers;
    double distance_m = 0.0;
  };
  std::map<std::pair<std::ptrdiff_t, std::ptrdiff_t>, Group> groups;
  for (const OutlyingRun& run : outliers.runs) {
    Group& group = groups[{run.frames.first, run.frames.last}];
    group.markers.push_back(run.point);
    group.distance_m = std::max(group.distance_m, run.distance_m);
  }
  std::vector<std::string> lines;
  for (const auto& [frames, group] : groups) {
    const auto number = [&](std::ptrdiff_t frame) { return points.first_frame + frame; };
    const std::string where = frames.first == frames.second
                                  ? fmt::format("frame {}", number(frames.first))
                                  : fmt::format("frames {} to {}", number(frames.first), number(frames.second));
    const std::string who = group.markers.size() == 1 ? "marker " + points.labels[group.markers.front()]
                                                      : fmt::format("{} markers", group.markers.size());
    lines.push_back(fmt::format("{} ({:.3f} s): {}, up to {:.3g} m off", where,
                                points.time_s(static_cast<std::size_t>(frames.first)), who, group.distance_m));
  }
  return lines;
}

}  // namespace aplomb
