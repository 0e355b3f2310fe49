#include "aplomb/recording/points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"

namespace aplomb {

std::size_t Points::index(const std::string& label) const {
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end()) throw UnknownName("marker", label, "the recording", labels);
  return static_cast<std::size_t>(found - labels.begin());
}

double mean_distance(const Points& points, std::size_t a, std::size_t b, std::size_t least_frames) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    if (!points.is_seen(frame, a) || !points.is_seen(frame, b)) continue;
    sum += (points.position(frame, a) - points.position(frame, b)).norm();
    ++count;
  }
  if (count < std::max<std::size_t>(least_frames, 1)) {
    throw InvalidValue(fmt::format("markers {} and {} are seen together in {} of {} frames, {} are needed",
                                   points.labels[a], points.labels[b], count, points.num_frames, least_frames));
  }
  return sum / static_cast<double>(count);
}

}  // namespace aplomb
