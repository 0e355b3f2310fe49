#include "aplomb/human/phases/hip_phases.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr double kLeast = 0.15;  ///< fraction of the leg's length: smallest vertical hip range of a rise or a squat
constexpr double kDown = 0.25, kUp = 0.50;  ///< fractions of the hips' range: low below, high above
constexpr double kTurn = 0.35;              ///< fraction of the range at which a phase ends
constexpr double kBehindHeel = 0.02;        ///< [m] behind the heel, beyond which the CoP needs a seat
constexpr double kSits = 0.3;               ///< [s] so long; without a seat a body would have fallen far
constexpr double kWay = 1.5;                ///< [s] searched for seat-off before the hips are up

double percentile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Distance of the required CoP behind the rearmost heel [m].
double behind_heels(const SegmentMotion& segments, const CentroidalMotion& body, Eigen::Index frame) {
  double heel = 1e9;
  for (const int side : {kLeft, kRight}) {
    const Eigen::Isometry3d T = segments.foot_pose(side, frame);
    for (const Eigen::Vector3d& corner : segments.sole(side).corners()) heel = std::min(heel, (T * corner).x());
  }
  return heel - body.cop(frame, segments.floor_height()).x();
}

/// Divides the motion where the hips cross kTurn, if they then go on to kDown or kUp (hysteresis).
std::vector<HipPhase> cut(const std::vector<double>& part) {
  std::vector<HipPhase> phases;
  const auto count = static_cast<Eigen::Index>(part.size());
  const auto at = [&](Eigen::Index i) { return part[static_cast<std::size_t>(i)]; };
  bool is_high = at(0) > kTurn;
  Eigen::Index first = 0, turned = 0;
  for (Eigen::Index i = 1; i < count; ++i) {
    if ((at(i) > kTurn) != (at(i - 1) > kTurn)) turned = i;
    const bool changes = is_high ? at(i) < kDown : at(i) > kUp;
    if (!changes) continue;
    if (turned > first) phases.push_back({.is_high = is_high, .range = {first, turned - 1}});
    first = turned;
    is_high = !is_high;
  }
  phases.push_back({.is_high = is_high, .range = {first, count - 1}});
  return phases;
}

/// Sets the search range of seat-off: from kWay before the hips cross kTurn, but not before the middle of the low
/// phase, until they are above 80 % of their range; likewise, reversed in time, that of seat-on.
void set_ways(std::vector<HipPhase>& phases, const std::vector<double>& part, double rate_hz) {
  const auto way = static_cast<Eigen::Index>(kWay * rate_hz);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    HipPhase& phase = phases[i];
    if (!phase.is_high) continue;
    const auto is_up = [&](Eigen::Index k) { return part[static_cast<std::size_t>(k)] > 0.8; };
    Eigen::Index first_up = phase.range.first, last_up = phase.range.last;
    while (first_up < phase.range.last && !is_up(first_up)) ++first_up;
    while (last_up > phase.range.first && !is_up(last_up)) --last_up;
    phase.way_up = {phase.range.first, first_up};
    phase.way_down = {last_up, phase.range.last};
    if (i > 0) {
      const FrameRange& low = phases[i - 1].range;
      phase.way_up.first = std::max((low.first + low.last) / 2, phase.range.first - way);
    }
    if (i + 1 < phases.size()) {
      const FrameRange& low = phases[i + 1].range;
      phase.way_down.last = std::min((low.first + low.last) / 2, phase.range.last + way);
    }
  }
}

}  // namespace

std::vector<HipPhase> hip_phases(const SegmentMotion& segments, const CentroidalMotion& body) {
  std::vector<double> part;
  for (Eigen::Index i = 0; i < segments.num_frames(); ++i) part.push_back(segments.mid_hip(i).z());
  const double low = percentile(part, 0.02), high = percentile(part, 0.98);
  if (high - low < kLeast * segments.leg_length()) return {};
  for (double& value : part) value = (value - low) / (high - low);
  std::vector<HipPhase> phases = cut(part);
  set_ways(phases, part, segments.rate_hz());
  for (HipPhase& phase : phases) {
    phase.is_seat = !phase.is_high && is_low(segments, phase.range) && needs_a_seat(segments, body, phase.range);
  }
  return phases;
}

bool needs_a_seat(const SegmentMotion& segments, const CentroidalMotion& body, const FrameRange& range) {
  const double least = std::min(kSits * segments.rate_hz(), static_cast<double>(range.size()));
  Eigen::Index behind = 0;
  for (Eigen::Index i = range.first; i <= range.last; ++i) {
    behind = behind_heels(segments, body, i) > kBehindHeel ? behind + 1 : 0;
    if (static_cast<double>(behind) >= least) return true;
  }
  return false;
}

bool is_low(const SegmentMotion& segments, const FrameRange& range) {
  std::vector<double> heights;
  for (Eigen::Index i = range.first; i <= range.last; ++i) heights.push_back(segments.mid_hip(i).z());
  return percentile(heights, 0.5) - segments.floor_height() < 0.8 * segments.leg_length();
}

bool stands_in(const SegmentMotion& segments, const FrameRange& range) {
  double low = 1e9, high = -1e9;
  for (Eigen::Index i = range.first; i <= range.last; ++i) {
    low = std::min(low, segments.mid_hip(i).z());
    high = std::max(high, segments.mid_hip(i).z());
  }
  return high - low > 0.1 * segments.leg_length();
}

}  // namespace aplomb
