#include "aplomb/human/phases/rises.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/human/phases/hip_phases.hpp"

namespace aplomb {
namespace {

constexpr double kEventShift = 0.05;  ///< [s] from the CoM's largest forward speed to seat-off, as in 15 recorded rises
constexpr double kMargin = 0.05;      ///< [s] left out beside a contact without a plate
constexpr double kEnd = 0.15;  ///< [s] left out at the ends of a recording, where the low-pass has no data on one side
constexpr double kShortest = 0.2;  ///< [s] shortest window
/// Fractions of body weight: an unmeasured contact begins and ends at the first, and counts when it reaches the second;
/// a seat plate's contact begins at the third.
constexpr double kBegins = 0.05, kCounts = 0.15, kSeatPlateBegins = 0.01;

/// Intervals in which `load` exceeds `begins` throughout and `counts` at least once.
std::vector<FrameRange> contacts(const Eigen::VectorXd& load, double begins, double counts) {
  std::vector<FrameRange> found;
  for (Eigen::Index i = 0; i < load.size(); ++i) {
    if (!(load[i] > begins)) continue;
    FrameRange range{i, i};
    while (range.last + 1 < load.size() && load[range.last + 1] > begins) ++range.last;
    if (load.segment(range.first, range.size()).maxCoeff() > counts) found.push_back(range);
    i = range.last;
  }
  return found;
}

/// Vertical force that no plate in `forces` carries [N]; zero where the plates were not recorded.
Eigen::VectorXd missing_force(const CentroidalMotion& body, const GroundForces& forces, double mass, bool with_seat) {
  Eigen::VectorXd missing = Eigen::VectorXd::Zero(body.num_frames());
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
    if (!forces.is_seen[static_cast<std::size_t>(i)]) continue;
    const double carried = forces.sum(i).force.z() - (with_seat ? 0.0 : forces.sum(i, PlateLoad::seat).force.z());
    missing[i] = mass * (kGravity + body.com_acceleration(2, i)) - carried;
  }
  return missing;
}

Eigen::VectorXd seat_plate_force(const GroundForces& forces, Eigen::Index num_frames) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(num_frames);
  for (const PlateTrack& plate : forces.plates) {
    if (plate.main_load == PlateLoad::seat) force += plate.quick_force;
  }
  return force;
}

/// Time at which `load` crosses `level` between the frame `before` and the next one, by linear interpolation.
double crossing(const CentroidalMotion& body, const Eigen::VectorXd& load, Eigen::Index before, double level) {
  const double from = load[before], to = load[before + 1];
  const double part = to == from ? 0.5 : std::clamp((level - from) / (to - from), 0.0, 1.0);
  return body.time_s(before) + part / body.rate_hz;
}

/// The intervals between the contacts with a seat, with the times at which `load` crosses `level`.
std::vector<Rise> between_seats(const CentroidalMotion& body, const std::vector<FrameRange>& seats,
                                const Eigen::VectorXd& load, double level) {
  std::vector<Rise> rises;
  const Eigen::Index last = body.num_frames() - 1;
  for (std::size_t i = 0; i <= seats.size() && !seats.empty(); ++i) {
    Rise rise;
    rise.up.first = i == 0 ? 0 : seats[i - 1].last + 1;
    rise.up.last = i == seats.size() ? last : seats[i].first - 1;
    if (rise.up.size() < 1) continue;
    if (i > 0) rise.seat_off_s = crossing(body, load, rise.up.first - 1, level);
    if (i < seats.size()) rise.seat_on_s = crossing(body, load, rise.up.last, level);
    rises.push_back(rise);
  }
  return rises;
}

/// Frame in which the CoM is fastest along `sign` x.
Eigen::Index fastest(const CentroidalMotion& body, const FrameRange& range, double sign) {
  Eigen::Index at = range.first;
  for (Eigen::Index i = range.first; i <= range.last; ++i) {
    if (sign * body.com_velocity(0, i) > sign * body.com_velocity(0, at)) at = i;
  }
  return at;
}

}  // namespace

const char* seat_evidence_name(SeatEvidence evidence) {
  constexpr const char* kNames[] = {"seat plate", "foot plates and motion", "motion alone"};
  return kNames[static_cast<int>(evidence)];
}

const char* seat_off_definition(SeatEvidence evidence) {
  constexpr const char* kDefinitions[] = {
      ("seat-off is where the force on the seat, low-passed at 20 Hz, falls below 1 % of body weight, or below the 10 "
       "N "
       "under which a plate counts as unloaded"),
      "seat-off is where the force that the foot plates miss, m (g + z'') - F, falls below 5 % of body weight",
      "seat-off is 50 ms after the CoM's largest forward speed"};
  return kDefinitions[static_cast<int>(evidence)];
}

Rises rises_of_motion(const SegmentMotion& segments, const CentroidalMotion& body) {
  Rises found;
  const std::vector<HipPhase> phases = hip_phases(segments, body);
  const double rate = body.rate_hz;
  const auto frame_of = [&](double time_s) {
    return std::clamp<Eigen::Index>(std::lround((time_s - body.start_s) * rate), 0, body.num_frames() - 1);
  };
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (!phases[i].is_high) continue;
    Rise rise{.up = phases[i].range};
    const bool was_seated = i > 0 && phases[i - 1].is_seat;
    const bool sits_down = i + 1 < phases.size() && phases[i + 1].is_seat;
    if (was_seated) {
      const Eigen::Index at = fastest(body, phases[i].way_up, 1.0);
      rise.seat_off_s = body.time_s(at) + kEventShift;
      rise.up.first = frame_of(*rise.seat_off_s);
    }
    if (sits_down) {
      const Eigen::Index at = fastest(body, phases[i].way_down, -1.0);
      rise.seat_on_s = body.time_s(at) - kEventShift;
      rise.up.last = frame_of(*rise.seat_on_s);
    }
    if (was_seated || sits_down) found.rises.push_back(rise);
  }
  return found;
}

Rises rises_of_plates(const SegmentMotion& segments, const CentroidalMotion& body, const GroundForces& forces,
                      double mass) {
  const bool has_seat_plate = forces.has(PlateLoad::seat);
  const double weight = mass * kGravity;
  const double begins = (has_seat_plate ? kSeatPlateBegins : kBegins) * weight;
  const Eigen::VectorXd load = has_seat_plate ? seat_plate_force(forces, body.num_frames())
                                              : missing_force(body, forces, mass, /*with_seat=*/false);
  std::vector<FrameRange> seats = contacts(load, begins, kCounts * weight);
  std::erase_if(seats, [&](const FrameRange& range) { return !is_low(segments, range); });
  Rises found{.evidence = has_seat_plate ? SeatEvidence::seat_plate : SeatEvidence::foot_plates};
  found.rises = between_seats(body, seats, load, begins);
  // Touching a seat briefly, or leaving it for a moment while sitting, is not a rise.
  std::erase_if(found.rises, [&](const Rise& rise) { return !stands_in(segments, rise.up); });
  return found;
}

std::vector<FrameRange> complete_windows(const CentroidalMotion& body, const GroundForces& forces, double mass) {
  const double weight = mass * kGravity;
  const Eigen::VectorXd missing = missing_force(body, forces, mass, /*with_seat=*/true);
  const auto margin = static_cast<Eigen::Index>(std::lround(kMargin * body.rate_hz));
  std::vector<char> is_complete(forces.is_seen);
  // At the ends of a recording the filter has data on one side only: accelerations are wrong there.
  const Eigen::Index end = std::min(body.num_frames(), static_cast<Eigen::Index>(std::ceil(kEnd * body.rate_hz)));
  std::fill(is_complete.begin(), is_complete.begin() + end, 0);
  std::fill(is_complete.end() - end, is_complete.end(), 0);
  for (const FrameRange& contact : contacts(missing, kBegins * weight, kCounts * weight)) {
    const Eigen::Index first = std::max<Eigen::Index>(contact.first - margin, 0);
    const Eigen::Index last = std::min(contact.last + margin, body.num_frames() - 1);
    std::fill(is_complete.begin() + first, is_complete.begin() + last + 1, 0);
  }
  std::vector<FrameRange> windows;
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
    if (!is_complete[static_cast<std::size_t>(i)]) continue;
    FrameRange range{i, i};
    while (range.last + 1 < body.num_frames() && is_complete[static_cast<std::size_t>(range.last + 1)]) ++range.last;
    if (static_cast<double>(range.size()) >= kShortest * body.rate_hz) windows.push_back(range);
    i = range.last;
  }
  return windows;
}

}  // namespace aplomb
