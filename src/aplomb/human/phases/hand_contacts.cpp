#include "aplomb/human/phases/hand_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace aplomb {
namespace {

// Fractions of the leg's length: largest motion of a resting wrist, smallest motion of its shoulder meanwhile,
// smallest distance from the thigh.
constexpr double kStill = 0.025, kShoulder = 0.12, kOffThigh = 0.14;
constexpr double kBeyond = 0.05;  // [s] shortest contact after seat-off
constexpr double kPlace = 0.1;    // [s] before seat-off, over which the wrist's place is averaged
// The release is the last frame within kReleaseRange [leg lengths] of the place, at most kReleaseSearch [s] before the
// wrist leaves kStill.
constexpr double kReleaseSearch = 0.2, kReleaseRange = 0.007;
constexpr double kLoaded = 10.0;  // [N] force from which the plate of an arm rest counts as loaded
constexpr double kPushes = 0.04;  // smallest fraction of the contact force missing on the plates that counts as a push

/// Frames first … last in which a hand stays where it is at seat-off; none: last < first.
struct Stay {
  Eigen::Index first = 0, last = -1;
};

class HandFinder {
 public:
  HandFinder(const Skeleton& skeleton, const SegmentMotion& segments, Eigen::Index seat_off)
      : skeleton_(skeleton), segments_(segments), seat_off_(seat_off) {}

  Stay find(const std::string& side) const {
    const int hand = skeleton_.segment(side + "hand"), shoulder = skeleton_.segment(side + "upper_arm");
    const auto frames = static_cast<Eigen::Index>(kPlace * segments_.rate_hz());
    const Eigen::Index from = std::max<Eigen::Index>(0, seat_off_ - frames);
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    for (Eigen::Index i = from; i <= seat_off_; ++i) place += at(hand, i) / static_cast<double>(seat_off_ - from + 1);
    const double leg = segments_.leg_length();
    const auto is_there = [&](Eigen::Index i) { return (at(hand, i) - place).norm() < kStill * leg; };
    Stay stay{seat_off_, seat_off_};
    while (stay.first > 0 && is_there(stay.first - 1)) --stay.first;
    while (stay.last + 1 < segments_.num_frames() && is_there(stay.last + 1)) ++stay.last;
    // The release is when the wrist starts to move away, not when it is far.
    const Eigen::Index earliest =
        std::max(seat_off_, stay.last - static_cast<Eigen::Index>(kReleaseSearch * segments_.rate_hz()));
    while (stay.last > earliest && (at(hand, stay.last) - place).norm() > kReleaseRange * leg) --stay.last;
    double moved = 0.0;
    for (Eigen::Index i = stay.first; i <= stay.last; ++i) {
      moved = std::max(moved, (at(shoulder, i) - at(shoulder, stay.first)).norm());
    }
    const bool is_long = static_cast<double>(stay.last - seat_off_) >= kBeyond * segments_.rate_hz();
    const bool rests =
        is_there(seat_off_) && is_long && moved > kShoulder * leg && off_thigh(side, place) > kOffThigh * leg;
    return rests ? stay : Stay{};
  }

 private:
  Eigen::Vector3d at(int segment, Eigen::Index frame) const { return segments_.pose(segment, frame).translation(); }

  /// Distance of a point to the line segment from hip to knee [m].
  double off_thigh(const std::string& side, const Eigen::Vector3d& point) const {
    const Eigen::Vector3d hip = at(skeleton_.segment(side + "thigh"), seat_off_);
    const Eigen::Vector3d along = at(skeleton_.segment(side + "shank"), seat_off_) - hip;
    const double part = std::clamp((point - hip).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (point - hip - part * along).norm();
  }

  const Skeleton& skeleton_;
  const SegmentMotion& segments_;
  Eigen::Index seat_off_;
};

constexpr PlateLoad kOfHand[] = {PlateLoad::left_hand, PlateLoad::right_hand};

/// Frames about seat-off in which a plate of that hand is loaded.
Stay stay_on_plate(const GroundForces& forces, PlateLoad load, Eigen::Index seat_off) {
  const auto is_loaded = [&](Eigen::Index i) {
    return std::ranges::any_of(forces.plates, [&](const PlateTrack& plate) {
      return plate.load[static_cast<std::size_t>(i)] == load && plate.quick_force[i] > kLoaded;
    });
  };
  if (!is_loaded(seat_off)) return {};
  Stay stay{seat_off, seat_off};
  const auto count = static_cast<Eigen::Index>(forces.is_seen.size());
  while (stay.first > 0 && is_loaded(stay.first - 1)) --stay.first;
  while (stay.last + 1 < count && is_loaded(stay.last + 1)) ++stay.last;
  return stay;
}

/// Largest fraction of the vertical force on the plates of the arm rests.
double measured_share(const CentroidalMotion& body, const GroundForces& forces, const Stay& stay) {
  double largest = 0.0;
  for (Eigen::Index i = stay.first; i <= stay.last; ++i) {
    const double hands = forces.sum(i, PlateLoad::left_hand).force.z() + forces.sum(i, PlateLoad::right_hand).force.z();
    if (body.force(2, i) > 0.0) largest = std::max(largest, hands / body.force(2, i));
  }
  return largest;
}

/// Largest fraction of the vertical force that no plate carries; absent without plates under both seat and feet.
std::optional<double> missing_share(const CentroidalMotion& body, const GroundForces& forces, const Stay& stay) {
  const bool has_feet =
      forces.has(PlateLoad::both_feet) || (forces.has(PlateLoad::left_foot) && forces.has(PlateLoad::right_foot));
  if (!has_feet || !forces.has(PlateLoad::seat)) return std::nullopt;
  std::optional<double> largest;
  for (Eigen::Index i = stay.first; i <= stay.last; ++i) {
    const double needed = body.force(2, i);
    if (!forces.is_seen[static_cast<std::size_t>(i)] || needed <= 0.0) continue;
    largest = std::max(largest.value_or(0.0), 1.0 - forces.sum(i).force.z() / needed);
  }
  return largest;
}

}  // namespace

HandContacts find_hand_contacts(const Skeleton& skeleton, const SegmentMotion& segments, const CentroidalMotion& body,
                                const GroundForces& forces, double seat_off_s) {
  const auto seat_off = std::clamp<Eigen::Index>(std::lround((seat_off_s - segments.start_s()) * segments.rate_hz()), 0,
                                                 segments.num_frames() - 1);
  const HandFinder finder(skeleton, segments, seat_off);
  const std::array<Stay, 2> stays{finder.find("left_"), finder.find("right_")};
  HandContacts found;
  for (std::size_t side = 0; side < 2; ++side) {
    const bool is_measured = forces.has(kOfHand[side]);
    const Stay stay = is_measured ? stay_on_plate(forces, kOfHand[side], seat_off) : stays[side];
    if (stay.last < stay.first) continue;
    const std::optional<double> share =
        is_measured ? measured_share(body, forces, stay) : missing_share(body, forces, stay);
    if (share && *share < kPushes) continue;
    found.off_s[side] = segments.time_s(stay.last);
    found.on_s[side] = segments.time_s(stay.first);
    if (share) found.share = std::max(found.share.value_or(0.0), *share);
  }
  return found;
}

}  // namespace aplomb
