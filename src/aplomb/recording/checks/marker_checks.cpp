#include "aplomb/recording/checks/marker_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/recording/checks/marker_path.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kListed = 100;        // gaps and jumps listed per marker; all are counted
constexpr std::size_t kListedFaults = 200;  // suspected swaps and labels listed

// Two markers of one segment keep their distance within the motion of the skin over the bone.
constexpr double kLengthChange = 0.03;   // [m] change of distance that is more than skin motion
constexpr double kSegmentNoise = 0.01;   // [m] largest median change of the distance of two markers of one segment
constexpr double kLongestSegment = 0.6;  // [m] largest distance of two markers on one segment

MarkerReport find_gaps(const Points& points, std::size_t point) {
  MarkerReport report{.point = point};
  std::size_t length = 0;
  for (std::size_t frame = 0; frame <= points.num_frames; ++frame) {
    const bool is_missing = frame < points.num_frames && !points.is_seen(frame, point);
    if (is_missing) {
      ++length;
      continue;
    }
    if (length > 0) {
      const auto end = static_cast<std::ptrdiff_t>(frame);
      if (report.gaps.size() < kListed) report.gaps.push_back({end - static_cast<std::ptrdiff_t>(length), end - 1});
      report.num_missing += length;
      ++report.num_gaps;
      report.longest_gap = std::max(report.longest_gap, length);
      length = 0;
    }
    const bool has_status = frame < points.num_frames && !points.seen_by.empty();
    if (has_status && (points.seen_by[frame * points.num_points() + point] & 0xFFU) == 0) ++report.num_interpolated;
  }
  return report;
}

/// Follows each marker through the frames and reports where it is far from its extrapolated position.
class JumpFinder {
 public:
  JumpFinder(const Points& points, MarkerChecks& checks)
      : points_(points),
        checks_(checks),
        dt_(points.rate_hz > 0.0 ? 1.0 / points.rate_hz : 0.0),
        tracks_(checks.markers.size(), Track{MarkerPath(dt_)}) {}

  void run() {
    if (dt_ <= 0.0) return;
    for (std::size_t frame = 0; frame < points_.num_frames; ++frame) {
      jumping_.clear();
      for (std::size_t i = 0; i < tracks_.size(); ++i) look(frame, i);
      find_swaps(frame);
      for (std::size_t i = 0; i < tracks_.size(); ++i) follow(frame, i);
    }
  }

 private:
  struct Track {
    MarkerPath path;
    bool jumps = false;
  };

  void look(std::size_t frame, std::size_t index) {
    Track& track = tracks_[index];
    const std::size_t point = checks_.markers[index].point;
    track.jumps = points_.is_seen(frame, point) && track.path.jumps(frame, points_.position(frame, point));
    if (!track.jumps) return;
    MarkerReport& report = checks_.markers[index];
    ++report.num_jumps;
    if (report.jumps.size() < kListed) report.jumps.push_back(frame);
    jumping_.push_back(index);
  }

  /// Reports pairs of jumping markers that are each at the other's expected position.
  void find_swaps(std::size_t frame) {
    if (jumping_.size() > 60) return;  // so many at once: a cut in the recording, not swaps
    for (std::size_t i = 0; i < jumping_.size(); ++i) {
      for (std::size_t j = i + 1; j < jumping_.size(); ++j) {
        const MarkerPath& a = tracks_[jumping_[i]].path;
        const MarkerPath& b = tracks_[jumping_[j]].path;
        const std::size_t point_a = checks_.markers[jumping_[i]].point;
        const std::size_t point_b = checks_.markers[jumping_[j]].point;
        const bool are_exchanged =
            !b.jumps(frame, points_.position(frame, point_a)) && !a.jumps(frame, points_.position(frame, point_b));
        if (are_exchanged && checks_.swaps.size() < kListedFaults) checks_.swaps.push_back({point_a, point_b, frame});
      }
    }
  }

  void follow(std::size_t frame, std::size_t index) {
    Track& track = tracks_[index];
    const std::size_t point = checks_.markers[index].point;
    if (!points_.is_seen(frame, point)) return;
    const Eigen::Vector3d position = points_.position(frame, point);
    if (track.jumps || !track.path.is_known(frame)) {
      track.path.restart(frame, position);
    } else {
      track.path.follow(frame, position);
    }
  }

  const Points& points_;
  MarkerChecks& checks_;
  double dt_;
  std::vector<Track> tracks_;
  std::vector<std::size_t> jumping_;
};

double middle(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The other marker whose distance varies least, and that distance.
struct Partner {
  std::size_t point = 0;
  double distance = 0.0;
  double noise = std::numeric_limits<double>::infinity();
};

class LengthFinder {
 public:
  LengthFinder(const Points& points, MarkerChecks& checks) : points_(points), checks_(checks) {}

  void run() {
    const std::size_t num_markers = checks_.markers.size();
    // Labels of one segment are usually adjacent: with very many markers only neighbours in the list are compared.
    const std::size_t reach = num_markers > 2000 ? 20 : num_markers > 300 ? 50 : num_markers;
    std::vector<Partner> partners(num_markers);
    for (std::size_t i = 0; i < num_markers; ++i) {
      for (std::size_t j = i + 1; j < std::min(num_markers, i + 1 + reach); ++j) try_pair(i, j, partners);
    }
    for (std::size_t i = 0; i < num_markers; ++i) {
      const Partner& partner = partners[i];
      const bool is_segment = partner.noise <= kSegmentNoise;
      // Mutual partners are checked only once.
      const bool is_repeated = is_segment && partner.point < i && partners[partner.point].point == i;
      if (is_segment && !is_repeated) find_changes(i, partner);
    }
  }

 private:
  double distance(std::size_t frame, std::size_t i, std::size_t j) const {
    return (points_.position(frame, checks_.markers[i].point) - points_.position(frame, checks_.markers[j].point))
        .norm();
  }

  void try_pair(std::size_t i, std::size_t j, std::vector<Partner>& partners) {
    const std::size_t num_samples = checks_.markers.size() > 300 ? 40 : 100;
    const std::size_t stride = std::max<std::size_t>(1, points_.num_frames / num_samples);
    distances_.clear();
    for (std::size_t frame = 0; frame < points_.num_frames; frame += stride) {
      const double value = distance(frame, i, j);
      if (std::isfinite(value)) distances_.push_back(value);
    }
    if (distances_.size() < 20) return;
    const double usual = middle(distances_);
    if (usual > kLongestSegment) return;
    for (double& value : distances_) value = std::abs(value - usual);
    const double noise = middle(distances_);
    if (noise < partners[i].noise) partners[i] = {j, usual, noise};
    if (noise < partners[j].noise) partners[j] = {i, usual, noise};
  }

  void find_changes(std::size_t i, const Partner& partner) {
    const double limit = std::max(kLengthChange, 8.0 * partner.noise);
    SuspectedLabel fault{checks_.markers[i].point, checks_.markers[partner.point].point, partner.distance, 0.0, {}};
    bool is_open = false;
    const auto close = [&] {
      if (is_open && checks_.labels.size() < kListedFaults) checks_.labels.push_back(fault);
      is_open = false;
    };
    for (std::size_t frame = 0; frame < points_.num_frames; ++frame) {
      const double value = distance(frame, i, partner.point);
      if (!std::isfinite(value)) continue;
      if (std::abs(value - partner.distance) <= limit) {
        close();
        continue;
      }
      const bool is_worse = !is_open || std::abs(value - partner.distance) > std::abs(fault.found_m - partner.distance);
      if (is_worse) fault.found_m = value;
      if (!is_open) fault.frames.first = static_cast<std::ptrdiff_t>(frame);
      fault.frames.last = static_cast<std::ptrdiff_t>(frame);
      is_open = true;
    }
    close();
  }

  const Points& points_;
  MarkerChecks& checks_;
  std::vector<double> distances_;
};

}  // namespace

MarkerChecks check_markers(const Points& points) {
  MarkerChecks checks;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (points.is_marker(i)) checks.markers.push_back(find_gaps(points, i));
  }
  JumpFinder(points, checks).run();
  LengthFinder(points, checks).run();
  std::ranges::stable_sort(checks.labels, {}, [](const SuspectedLabel& fault) { return fault.frames.first; });
  return checks;
}

}  // namespace aplomb
