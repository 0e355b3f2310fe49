#include "aplomb/human/phases/foot_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

// Heights in leg lengths. A swinging foot passes the floor at 1 to 2 % of the leg's length (minimum toe clearance of
// walking people: 10 to 20 mm), so that height alone does not tell it from a standing one; the fit of a foot's markers
// wobbles by some 10 mm while it stands.
constexpr double kNear = 0.03, kFar = 0.05;
// Speeds in √(g leg), the speed to which walking speeds scale (Froude number 1, some 2.9 m/s). A swinging foot is as
// fast as 1 to 1.5 of it; a standing one is slower than 0.1, its heel rising included.
constexpr double kSlow = 0.12, kFast = 0.24;
constexpr double kFloorRange = 0.04;  // leg lengths by which the lowest level of a point may differ from the floor
constexpr double kLowest = 0.1;       // quantile of a point's height that is its lowest level
constexpr double kBall = 0.7;         // place of the ball of the foot, as a fraction of the sole's length from the heel
constexpr double kTouching = 0.008;   // leg lengths above its level in a contact within which a point touches the floor
constexpr double kNarrowed = 0.5;     // [s] longest part of a contact that is taken away for this at each end
constexpr double kShortest = 0.06;    // [s] shorter contacts and interruptions are left out
constexpr double kCutoffHz = 10.0;    // low-pass of the points before their speed is computed
constexpr double kLoaded = 20.0;      // [N] on a plate of its own
constexpr double kNearPlate = 0.15;   // [s] in which the plate's edge replaces that of the motion

using Flags = std::vector<char>;  ///< by frame

std::vector<FrameRange> ranges_of(const Flags& flags) {
  std::vector<FrameRange> ranges;
  const auto count = static_cast<Eigen::Index>(flags.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    if (flags[static_cast<std::size_t>(i)] == 0) continue;
    FrameRange range{i, i};
    while (range.last + 1 < count && flags[static_cast<std::size_t>(range.last + 1)] != 0) ++range.last;
    ranges.push_back(range);
    i = range.last;
  }
  return ranges;
}

void fill(Flags& flags, Eigen::Index first, Eigen::Index last, char value) {
  std::fill(flags.begin() + first, flags.begin() + last + 1, value);
}

/// Closes short interruptions, then leaves out short contacts; not at the ends of the recording, where an interval
/// may be the rest of a long one.
void leave_out_short(Flags& flags, double rate_hz) {
  const auto last = static_cast<Eigen::Index>(flags.size()) - 1;
  for (const char value : {char{0}, char{1}}) {
    Flags wanted(flags.size());
    std::ranges::transform(flags, wanted.begin(), [value](char flag) { return flag == value; });
    for (const FrameRange& range : ranges_of(wanted)) {
      if (range.first == 0 || range.last == last) continue;
      if (static_cast<double>(range.size()) < kShortest * rate_hz) fill(flags, range.first, range.last, value == 0);
    }
  }
}

/// Height of one point of a sole above its lowest level, and its speed, over the motion.
struct PointPath {
  Eigen::RowVectorXd height, speed;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

PointPath follow(const SegmentMotion& segments, int side, const Eigen::Vector3d& point) {
  Eigen::MatrixXd path(3, segments.num_frames());
  for (Eigen::Index i = 0; i < path.cols(); ++i) path.col(i) = segments.foot_pose(side, i) * point;
  if (kCutoffHz < 0.45 * segments.rate_hz()) path = ZeroPhaseFilter(kCutoffHz, segments.rate_hz()).filtered(path);
  PointPath result{path.row(2), central_difference(path, segments.rate_hz()).colwise().norm()};
  // The fit of a foot may be tilted by a few degrees: heights are measured from the point's own lowest level, unless
  // that is far from the floor, because the point never touches it.
  std::vector<double> heights(result.height.begin(), result.height.end());
  const auto lowest = heights.begin() + static_cast<std::ptrdiff_t>(kLowest * static_cast<double>(heights.size() - 1));
  std::nth_element(heights.begin(), lowest, heights.end());
  const double range = kFloorRange * segments.leg_length(), floor = segments.floor_height();
  result.height.array() -= std::clamp(*lowest, floor - range, floor + range);
  return result;
}

/// Moves both ends of a contact to where a point is within `height` of its level in this contact [m]: a foot that is
/// lifted slowly has left the floor long before it is far above it.
void narrow(Flags& flags, const FrameRange& range, const std::vector<PointPath>& paths, double height, double rate_hz) {
  std::vector<double> levels;
  for (const PointPath& path : paths) {
    const auto heights = path.height.segment(range.first, range.size());
    levels.push_back(median({heights.begin(), heights.end()}));
  }
  const auto touches = [&](Eigen::Index i) {
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (paths[k].height[i] < levels[k] + height) return true;
    }
    return false;
  };
  const auto last_frame = static_cast<Eigen::Index>(flags.size()) - 1;
  const auto most =
      std::min(static_cast<Eigen::Index>(kNarrowed * rate_hz), static_cast<Eigen::Index>(range.size() / 3));
  Eigen::Index first = range.first, last = range.last;
  while (range.first > 0 && first - range.first < most && !touches(first)) ++first;
  while (range.last < last_frame && range.last - last < most && !touches(last)) --last;
  if (first > range.first) fill(flags, range.first, first - 1, 0);
  if (last < range.last) fill(flags, last + 1, range.last, 0);
}

Flags flags_of_motion(const SegmentMotion& segments, int side) {
  const Sole& sole = segments.sole(side);
  const double y = 0.5 * (sole.y_min + sole.y_max);
  std::vector<PointPath> paths;
  for (const double part : {0.0, kBall, 1.0}) {
    paths.push_back(follow(segments, side, {sole.x_min + part * (sole.x_max - sole.x_min), y, sole.z}));
  }
  const double leg = segments.leg_length(), speed = std::sqrt(kGravity * leg);
  const auto touches = [&](Eigen::Index i, double height, double fastest) {
    return std::ranges::any_of(
        paths, [&](const PointPath& path) { return path.height[i] < height * leg && path.speed[i] < fastest * speed; });
  };
  Flags flags(static_cast<std::size_t>(segments.num_frames()));
  bool is_down = touches(0, kFar, kFast);
  for (Eigen::Index i = 0; i < segments.num_frames(); ++i) {
    is_down = is_down ? touches(i, kFar, kFast) : touches(i, kNear, kSlow);
    flags[static_cast<std::size_t>(i)] = is_down;
  }
  leave_out_short(flags, segments.rate_hz());
  for (const FrameRange& range : ranges_of(flags)) narrow(flags, range, paths, kTouching * leg, segments.rate_hz());
  return flags;
}

/// Frames in which a plate that bears this foot alone is loaded.
Flags loaded_frames(const GroundForces& forces, PlateLoad load, std::size_t count) {
  Flags flags(count);
  for (const PlateTrack& plate : forces.plates) {
    for (std::size_t i = 0; i < count; ++i) {
      if (plate.load[i] == load && plate.quick_force[static_cast<Eigen::Index>(i)] > kLoaded) flags[i] = 1;
    }
  }
  return flags;
}

/// Clears what the motion shows of the contact shortly before and after a plate's.
void take_edges(Flags& flags, const Flags& on_plate, double rate_hz) {
  const auto most = static_cast<Eigen::Index>(kNearPlate * rate_hz), count = static_cast<Eigen::Index>(flags.size());
  const auto is_down = [&](Eigen::Index i) {
    const auto frame = static_cast<std::size_t>(i);
    return i >= 0 && i < count && flags[frame] != 0 && on_plate[frame] == 0;
  };
  const auto is_on_plate = [&](Eigen::Index i) {
    return i >= 0 && i < count && on_plate[static_cast<std::size_t>(i)] != 0;
  };
  for (const FrameRange& range : ranges_of(on_plate)) {
    Eigen::Index first = range.first, last = range.last;
    while (is_down(first - 1) && range.first - first <= most) --first;
    while (is_down(last + 1) && last - range.last <= most) ++last;
    // A longer contact is one beside the plate, or reaches the recording's end; one that meets the plate's next load is
    // a foot that stays where it is with little load.
    const bool has_begin = range.first - first <= most && first > 0 && !is_on_plate(first - 1);
    const bool has_end = last - range.last <= most && last + 1 < count && !is_on_plate(last + 1);
    if (has_begin && first < range.first) fill(flags, first, range.first - 1, 0);
    if (has_end && last > range.last) fill(flags, range.last + 1, last, 0);
  }
}

}  // namespace

FootContacts foot_contacts_of_motion(const SegmentMotion& segments) {
  FootContacts found;
  for (const int side : {kLeft, kRight}) {
    found[static_cast<std::size_t>(side)] = ranges_of(flags_of_motion(segments, side));
  }
  return found;
}

FootContacts foot_contacts_of_plates(const SegmentMotion& segments, const GroundForces& forces,
                                     const std::vector<FrameRange>& windows) {
  FootContacts found;
  const auto count = static_cast<std::size_t>(segments.num_frames());
  const Flags shared = loaded_frames(forces, PlateLoad::both_feet, count);
  for (const int side : {kLeft, kRight}) {
    Flags flags = flags_of_motion(segments, side);
    Flags on_plate = loaded_frames(forces, side == kLeft ? PlateLoad::left_foot : PlateLoad::right_foot, count);
    leave_out_short(on_plate, segments.rate_hz());
    for (const FrameRange& window : windows) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) {
        const auto frame = static_cast<std::size_t>(i);
        if (on_plate[frame] == 0 && shared[frame] == 0) flags[frame] = 0;
      }
    }
    for (std::size_t i = 0; i < count; ++i) flags[i] = flags[i] != 0 || on_plate[i] != 0;
    take_edges(flags, on_plate, segments.rate_hz());
    leave_out_short(flags, segments.rate_hz());
    found[static_cast<std::size_t>(side)] = ranges_of(flags);
  }
  return found;
}

}  // namespace aplomb
