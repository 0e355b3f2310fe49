#include "aplomb/human/plate_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kWidth = 0.05;     ///< of the level: what counts as the same mass
constexpr double kLeastTime = 0.5;  ///< [s]

/// The mass around which most frames of the upper part gather.
std::optional<double> level_of(const BodyMotion& body, const GroundForces& forces) {
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

}  // namespace

std::optional<PlateMass> mass_from_plates(const BodyMotion& body, const GroundForces& forces) {
  const std::optional<double> level = level_of(body, forces);
  if (!level) return std::nullopt;
  const auto piece = static_cast<Eigen::Index>(std::max(1.0, std::round(0.5 * body.rate_hz)));
  double force = 0.0, fall = 0.0;
  Eigen::Index num_frames = 0;
  std::vector<double> pieces;
  for (const FrameRange& window : complete_windows(body, forces, *level)) {
    double piece_force = 0.0, piece_fall = 0.0;
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      piece_force += forces.sum(i).force.z();
      piece_fall += kGravity + body.com_acceleration(2, i);
      if ((i - window.first + 1) % piece != 0 && i != window.last) continue;
      if ((i - window.first + 1) % piece == 0) pieces.push_back(piece_force / piece_fall);
      force += piece_force;
      fall += piece_fall;
      piece_force = piece_fall = 0.0;
    }
    num_frames += window.size();
  }
  PlateMass found{.mass = fall > 0.0 ? force / fall : 0.0, .seconds = static_cast<double>(num_frames) / body.rate_hz};
  if (!(found.seconds >= kLeastTime) || !(found.mass > 0.0)) return std::nullopt;
  double squares = 0.0;
  for (const double one : pieces) squares += (one - found.mass) * (one - found.mass);
  const auto count = static_cast<double>(pieces.size());
  found.deviation = count > 1.0 ? std::sqrt(squares / (count * (count - 1.0))) : 0.0;
  return found;
}

std::string mass_warning(const PlateMass& plates, double stated_mass) {
  const double difference = plates.mass / stated_mass - 1.0;
  if (std::abs(difference) <= 0.02) return "";
  return fmt::format("the plates tell {:.1f} kg, {:.1f} kg was stated ({:+.1f} %): the plates' mass is used",
                     plates.mass, stated_mass, 100.0 * difference);
}

}  // namespace aplomb
