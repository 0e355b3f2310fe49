#include "aplomb/human/plates/plate_loads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/robot/support_region.hpp"

namespace aplomb {
namespace {

constexpr double kLoaded = 20.0;      ///< [N] vertical force from which a plate counts as loaded
constexpr double kAroundSole = 0.04;  ///< [m] margin around a sole for shoes and for the fit's error
constexpr double kAroundHips = 0.45;  ///< [m] radius around the hips within which a seat's CoP lies
constexpr double kSeatHeight = 0.15;  ///< [m] a plate higher above the floor is a seat
constexpr double kClear = 0.2;        ///< fraction of the plate's largest force below which its CoP is not used
constexpr double kAroundPalm = 0.15;  ///< [m] radius around the palm within which the CoP of an arm rest's plate lies
constexpr std::size_t kNumLoads = 8;

/// Force summed over the frames of an interval that are assigned to each PlateLoad [N].
using Votes = std::array<double, kNumLoads>;

double& vote(Votes& votes, PlateLoad load) { return votes[static_cast<std::size_t>(load)]; }

double margin(const SegmentMotion& segments, int side, Eigen::Index frame, const Eigen::Vector3d& point) {
  const Eigen::Vector3d in_foot = segments.foot_pose(side, frame).inverse() * point;
  return segments.sole(side).margin(in_foot.x(), in_foot.y());
}

double margin_of_both(const SegmentMotion& segments, Eigen::Index frame, const Eigen::Vector3d& point) {
  std::vector<Eigen::Vector2d> corners;
  for (const int side : {kLeft, kRight}) {
    const Eigen::Isometry3d T = segments.foot_pose(side, frame);
    for (const Eigen::Vector2d& corner : ground_corners(segments.sole(side), T)) corners.push_back(corner);
  }
  return SupportRegion(corners).signed_distance(point.head<2>());
}

PlateLoad told_by(const PlateTrack& plate, const SegmentMotion& segments, Eigen::Index frame) {
  Eigen::Vector3d cop;
  cop << centre_of_pressure(plate.wrench(frame), plate.height), plate.height;
  const bool is_near_hips = (cop - segments.mid_hip(frame)).head<2>().norm() < kAroundHips;
  if (plate.height > segments.floor_height() + kSeatHeight) {
    // A seat's CoP is near the midline, a hand beside the body: arm rests are within kAroundHips as well.
    const double left = (cop - segments.palm(kLeft, frame)).norm(), right = (cop - segments.palm(kRight, frame)).norm();
    if (std::min(left, right) < kAroundPalm) return left < right ? PlateLoad::left_hand : PlateLoad::right_hand;
    return is_near_hips ? PlateLoad::seat : PlateLoad::other;
  }
  const double left = margin(segments, kLeft, frame, cop), right = margin(segments, kRight, frame, cop);
  if (std::max(left, right) > -kAroundSole) return left > right ? PlateLoad::left_foot : PlateLoad::right_foot;
  if (margin_of_both(segments, frame, cop) > -kAroundSole) return PlateLoad::both_feet;
  const bool is_low = segments.mid_hip(frame).z() - segments.floor_height() < 0.8 * segments.leg_length();
  return is_near_hips && is_low ? PlateLoad::seat : PlateLoad::other;
}

PlateLoad decide(Votes votes) {
  double all = 0.0;
  for (const double one : votes) all += one;
  const double left = vote(votes, PlateLoad::left_foot), right = vote(votes, PlateLoad::right_foot);
  if (left > 0.8 * all) return PlateLoad::left_foot;
  if (right > 0.8 * all) return PlateLoad::right_foot;
  if (left + right + vote(votes, PlateLoad::both_feet) > 0.6 * all) return PlateLoad::both_feet;
  for (const PlateLoad load : {PlateLoad::seat, PlateLoad::left_hand, PlateLoad::right_hand}) {
    if (vote(votes, load) > 0.5 * all) return load;
  }
  return PlateLoad::other;
}

/// Interval [first, end) in which a plate is loaded.
struct Stretch {
  Eigen::Index first = 0, end = 0;
  double load = 0.0, peak = 0.0;  ///< sum over the frames, maximum [N]
  PlateLoad decided = PlateLoad::none;
};

std::vector<Stretch> loaded_stretches(const PlateTrack& plate, const SegmentMotion& segments) {
  std::vector<Stretch> found;
  const Eigen::Index count = plate.force.cols();
  for (Eigen::Index i = 0; i < count; ++i) {
    if (plate.force(2, i) < kLoaded) continue;
    Stretch stretch{.first = i};
    Votes votes{};
    for (; i < count && plate.force(2, i) >= kLoaded; ++i) {
      vote(votes, told_by(plate, segments, i)) += plate.force(2, i);
      stretch.load += plate.force(2, i);
      stretch.peak = std::max(stretch.peak, plate.force(2, i));
    }
    stretch.end = i;
    stretch.decided = decide(votes);
    found.push_back(stretch);
  }
  return found;
}

}  // namespace

const char* plate_load_name(PlateLoad load) {
  constexpr const char* kNames[kNumLoads] = {"nothing", "left foot", "right foot", "both feet",
                                             "seat",    "left hand", "right hand", "something else"};
  return kNames[static_cast<std::size_t>(load)];
}

void tell_loads(PlateTrack& plate, const SegmentMotion& segments, std::vector<std::string>& notes) {
  std::vector<Stretch> stretches = loaded_stretches(plate, segments);
  double most = 0.0;
  for (const Stretch& stretch : stretches) most = std::max(most, stretch.peak);
  Votes total{};
  for (const Stretch& stretch : stretches) {
    if (stretch.peak >= kClear * most) vote(total, stretch.decided) += stretch.load;
  }
  plate.main_load = static_cast<PlateLoad>(std::ranges::max_element(total) - total.begin());
  for (const Stretch& stretch : stretches) {
    // The CoP of a small force is mostly noise: such intervals are assigned to the plate's main load.
    const PlateLoad load = stretch.peak >= kClear * most ? stretch.decided : plate.main_load;
    std::fill(plate.load.begin() + stretch.first, plate.load.begin() + stretch.end, load);
  }
  if (vote(total, PlateLoad::other) > 0.0) {
    notes.push_back(
        fmt::format("plate '{}' is pressed away from feet, hands and any seat: its place or its axes may "
                    "not be those of the markers",
                    plate.name));
  }
}

}  // namespace aplomb
