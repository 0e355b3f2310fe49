#include "aplomb/human/subject/marker_distances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "aplomb/human/marker_set.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kFewestPairs = 6;
constexpr std::size_t kSampledFrames = 500, kFewestFrames = 3;

std::map<std::string, std::size_t> markers_by_label(const Points& points) {
  std::map<std::string, std::size_t> by_label;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (points.is_marker(i)) by_label.emplace(plain_label(points.labels[i]), i);
  }
  return by_label;
}

/// Median distance of two markers over frames [m]; none when they are hardly ever seen together.
class Distances {
 public:
  explicit Distances(const Points& points) : points_(points), by_label_(markers_by_label(points)) {}

  std::optional<double> between(const BodyMarker& one, const BodyMarker& other) const {
    const auto a = by_label_.find(plain_label(one.label)), b = by_label_.find(plain_label(other.label));
    if (a == by_label_.end() || b == by_label_.end()) return std::nullopt;
    std::vector<double> found;
    const std::size_t stride = std::max<std::size_t>(1, points_.num_frames / kSampledFrames);
    for (std::size_t frame = 0; frame < points_.num_frames; frame += stride) {
      if (!points_.is_seen(frame, a->second) || !points_.is_seen(frame, b->second)) continue;
      found.push_back((points_.position(frame, a->second) - points_.position(frame, b->second)).norm());
    }
    if (found.size() < kFewestFrames) return std::nullopt;
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
    std::ranges::nth_element(found, middle);
    return *middle;
  }

 private:
  const Points& points_;
  std::map<std::string, std::size_t> by_label_;
};

using Reference = std::function<std::optional<double>(const BodyMarker&, const BodyMarker&)>;

std::optional<DistanceChange> change(const Points& trial, const SubjectModel& subject, const Reference& reference) {
  const Distances distances(trial);
  DistanceChange result;
  std::vector<double> changes;
  for (std::size_t i = 0; i < subject.markers.size(); ++i) {
    for (std::size_t k = i + 1; k < subject.markers.size(); ++k) {
      const BodyMarker &one = subject.markers[i], &other = subject.markers[k];
      if (one.segment != other.segment) continue;
      const std::optional<double> here = distances.between(one, other), there = reference(one, other);
      if (!here || !there) continue;
      changes.push_back(std::abs(*here - *there));
      if (changes.back() < result.worst_m) continue;
      result.worst_m = changes.back();
      result.worst = {one.label, other.label};
    }
  }
  if (changes.size() < kFewestPairs) return std::nullopt;
  const auto upper = changes.begin() + static_cast<std::ptrdiff_t>(3 * changes.size() / 4);
  std::ranges::nth_element(changes, upper);
  result.upper_quartile_m = *upper;
  result.num_pairs = changes.size();
  return result;
}

}  // namespace

std::optional<DistanceChange> distance_change(const Points& trial, const Points& still, const SubjectModel& subject) {
  const Distances reference(still);
  return change(trial, subject,
                [&](const BodyMarker& one, const BodyMarker& other) { return reference.between(one, other); });
}

std::optional<DistanceChange> distance_change(const Points& trial, const SubjectModel& subject) {
  return change(trial, subject, [](const BodyMarker& one, const BodyMarker& other) {
    return std::optional((one.offset - other.offset).norm());
  });
}

}  // namespace aplomb
