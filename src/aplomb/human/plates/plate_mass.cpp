#include "aplomb/human/plates/plate_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/human/phases/rises.hpp"

namespace aplomb {
namespace {

constexpr double kWidth = 0.05;     ///< relative width of the mass level
constexpr double kLeastTime = 0.5;  ///< [s] shortest duration of the level
constexpr double kSmeared = 0.4;  ///< periods of the cut-off left out beside another contact, which the low-pass smears
constexpr double kLively = 0.5;   ///< [m/s²] smallest standard deviation of z̈ from which the slope is fitted
constexpr double kLeastSwing = 0.8, kMostSwing = 1.3;  ///< plausible range of `swing`

/// Mass F_z / (g + z̈) about which most of the upper values lie, within the relative width kWidth.
std::optional<double> level_of(const CentroidalMotion& body, const GroundForces& forces) {
  std::vector<double> masses;
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
    const double fall = kGravity + body.com_acceleration(2, i);
    if (forces.is_seen[static_cast<std::size_t>(i)] && fall > 0.5 * kGravity) {
      masses.push_back(forces.sum(i).force.z() / fall);
    }
  }
  if (masses.empty()) return std::nullopt;
  std::ranges::sort(masses);
  const double highest = masses[static_cast<std::size_t>(0.98 * static_cast<double>(masses.size() - 1))];
  std::size_t best_first = 0, best_count = 0, last = 0;
  for (std::size_t first = 0; first < masses.size(); ++first) {
    if (masses[first] < 0.6 * highest) continue;
    last = std::max(last, first);
    while (last + 1 < masses.size() && masses[last + 1] <= (1.0 + kWidth) * masses[first]) ++last;
    if (last - first + 1 > best_count) {
      best_count = last - first + 1;
      best_first = first;
    }
  }
  if (best_count == 0 || !(highest > 0.0)) return std::nullopt;
  return masses[best_first + best_count / 2];
}

/// Least-squares line F_z = m g + swing m z̈ over frames, from running sums.
struct Line {
  double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;

  void add(double acceleration, double force) {
    count += 1.0;
    x += acceleration;
    y += force;
    xx += acceleration * acceleration;
    xy += acceleration * force;
    yy += force * force;
  }
  double variance() const { return xx / count - (x / count) * (x / count); }
  /// Force at z̈ = 0 for a given slope, and the mean square residual.
  double force_at_rest(double slope) const { return (y - slope * x) / count; }
  double rest(double slope) const {
    const double level = force_at_rest(slope);
    return std::max(0.0,
                    (yy - 2.0 * slope * xy - 2.0 * level * y + slope * slope * xx + 2.0 * slope * level * x) / count +
                        level * level);
  }
};

}  // namespace

std::optional<PlateMass> mass_from_plates(const CentroidalMotion& body, const GroundForces& forces) {
  const std::optional<double> level = level_of(body, forces);
  if (!level) return std::nullopt;
  // The low-pass smears the load of another contact into the adjacent window.
  const auto smeared = static_cast<Eigen::Index>(kSmeared / body.cutoff_hz * body.rate_hz);
  Line line;
  for (const FrameRange& window : complete_windows(body, forces, *level)) {
    for (Eigen::Index i = window.first + smeared; i <= window.last - smeared; ++i) {
      line.add(body.com_acceleration(2, i), forces.sum(i).force.z());
    }
  }
  PlateMass found{.seconds = line.count / body.rate_hz};
  if (!(found.seconds >= kLeastTime)) return std::nullopt;
  double slope = *level;
  const double variance = line.variance();
  if (variance > kLively * kLively) {
    slope = std::clamp((line.xy - line.x * line.y / line.count) / (line.count * variance), kLeastSwing * *level,
                       kMostSwing * *level);
  }
  found.mass = line.force_at_rest(slope) / kGravity;
  found.swing = variance > kLively * kLively ? slope / found.mass : 1.0;
  if (!(found.mass > 0.0)) return std::nullopt;
  const double independent = std::max(1.0, 2.0 * body.cutoff_hz * found.seconds);
  const double lever = 1.0 + (variance > 0.0 ? std::pow(line.x / line.count, 2) / variance : 0.0);
  found.deviation = std::sqrt(line.rest(slope) * lever / independent) / kGravity;
  return found;
}

std::string mass_warning(const PlateMass& plates, double stated_mass) {
  const double difference = plates.mass / stated_mass - 1.0;
  if (std::abs(difference) <= 0.02) return "";
  return fmt::format("the plates give {:.1f} kg, {:.1f} kg was stated ({:+.1f} %): the plates' mass is used",
                     plates.mass, stated_mass, 100.0 * difference);
}

}  // namespace aplomb
