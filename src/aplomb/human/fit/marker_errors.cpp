#include "aplomb/human/fit/marker_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {

MarkerErrors marker_errors(const SubjectModel& subject, const MotionFit& fit) {
  MarkerErrors errors;
  const auto num_frames = static_cast<std::size_t>(fit.motion.num_frames());
  std::vector<double> squares(fit.num_markers, 0.0), largest(fit.num_markers, 0.0);
  std::vector<std::size_t> counts(fit.num_markers, 0);
  double all = 0.0;
  std::size_t count = 0;
  for (std::size_t frame = 0; frame < num_frames; ++frame) {
    double sum = 0.0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < fit.num_markers; ++i) {
      const double residual = fit.residual(frame, i);
      if (!std::isfinite(residual)) continue;
      sum += residual * residual;
      squares[i] += residual * residual;
      largest[i] = std::max(largest[i], residual);
      ++counts[i];
      ++seen;
    }
    all += sum;
    count += seen;
    errors.frames_m.push_back(seen == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : std::sqrt(sum / static_cast<double>(seen)));
  }
  if (count > 0) errors.rms_m = std::sqrt(all / static_cast<double>(count));
  std::vector<double> sorted;
  std::ranges::copy_if(errors.frames_m, std::back_inserter(sorted), [](double x) { return std::isfinite(x); });
  std::ranges::sort(sorted);
  if (!sorted.empty()) errors.p95_frame_m = sorted[(sorted.size() - 1) * 95 / 100];
  for (std::size_t i = 0; i < fit.num_markers; ++i) {
    if (counts[i] == 0) continue;
    const BodyMarker& marker = subject.markers[i];
    const double rms = std::sqrt(squares[i] / static_cast<double>(counts[i]));
    errors.worst_m = std::max(errors.worst_m, rms);
    errors.markers.push_back({marker.label, subject.skeleton.segments[static_cast<std::size_t>(marker.segment)].name,
                              rms, largest[i], counts[i]});
  }
  return errors;
}

}  // namespace aplomb
