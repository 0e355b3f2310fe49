#include "aplomb/human/plates/reaction_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/human/plates/plate_loads.hpp"

namespace aplomb {
namespace {

constexpr double kBehindHips = 0.05;  ///< [m] CoP of a seat behind the hips: 3 to 7 cm before five rises of one person
constexpr double kPressure = 0.03;    ///< [m] standard deviation of the CoP of one contact about its assumed place
constexpr double kBefore = 0.1;       ///< [s] compared before seat-off
constexpr double kEnd = 0.15;         ///< [s] left out at the ends of a recording

std::vector<char> seated_frames(const Rises& rises, Eigen::Index num_frames) {
  std::vector<char> is_seated(static_cast<std::size_t>(num_frames), rises.rises.empty() ? 0 : 1);
  for (const Rise& rise : rises.rises) {
    const Eigen::Index last = std::min(rise.up.last, num_frames - 1);
    for (Eigen::Index i = std::max<Eigen::Index>(rise.up.first, 0); i <= last; ++i) {
      is_seated[static_cast<std::size_t>(i)] = 0;
    }
  }
  return is_seated;
}

/// Fraction of the way from `from` to `to` at `at`, within 0 ... 1; 0.5 where the two are the same.
double fraction(double at, double from, double to) {
  constexpr double kNear = 1e-3;  // [m]
  return std::abs(to - from) < kNear ? 0.5 : std::clamp((at - from) / (to - from), 0.0, 1.0);
}

/// Left foot's share from the CoP on the line from the right ankle to the left one; sitting, sideways only: the seat
/// moves the CoP backwards, whatever the feet do.
double along(const Eigen::Vector2d& cop, const Eigen::Vector2d& right, const Eigen::Vector2d& left, bool sits) {
  if (sits) return fraction(cop.y(), right.y(), left.y());
  const Eigen::Vector2d line = left - right;
  return fraction((cop - right).dot(line.normalized()), 0.0, line.norm());
}

/// 0 before 0, 1 after 1, smooth to the first derivative between.
double smooth_step(double part) {
  const double s = std::clamp(part, 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

/// Largest share that each foot can carry in a frame: none in the air, all of it from kTransfer after its touchdown
/// until kTransfer before its lift-off. While both feet are down for a shorter time, they exchange the load within it.
class LoadLimits {
 public:
  LoadLimits(const FootContacts& feet, Eigen::Index count, double rate_hz) {
    std::array<std::vector<char>, 2> is_down;
    for (const int side : {kLeft, kRight}) {
      const auto s = static_cast<std::size_t>(side);
      is_down[s].assign(static_cast<std::size_t>(count), 0);
      for (const FrameRange& range : feet[s]) {
        for (Eigen::Index i = range.first; i <= range.last; ++i) is_down[s][static_cast<std::size_t>(i)] = 1;
      }
      most_[s] = Eigen::VectorXd::Zero(count);
      for (const FrameRange& range : feet[s]) most_[s].segment(range.first, range.size()).setOnes();
    }
    both_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < both_.size(); ++i) both_[i] = is_down[kLeft][i] != 0 && is_down[kRight][i] != 0;
    for (Eigen::Index first = 0; first < count; ++first) {
      if (!both_down(first)) continue;
      Eigen::Index end = first;
      while (end < count && both_down(end)) ++end;
      exchange(first, end, rate_hz);
      first = end;
    }
  }

  bool both_down(Eigen::Index frame) const { return both_[static_cast<std::size_t>(frame)] != 0; }

  /// The left share nearest to `wanted` that both feet can carry; in flight the last one.
  double within(Eigen::Index frame, double wanted, double last) const {
    const double left = most_[kLeft][frame], right = most_[kRight][frame];
    if (left + right <= 0.0) return last;
    if (left + right <= 1.0) return left / (left + right);
    return std::clamp(wanted, 1.0 - right, left);
  }

 private:
  static constexpr double kTransfer = 0.25;  ///< [s]

  /// Limits a foot that has just touched down, or is about to lift off, in the frames [first, end) of both.
  void exchange(Eigen::Index first, Eigen::Index end, double rate_hz) {
    const Eigen::Index count = most_[kLeft].size();
    const double length = std::min(static_cast<double>(end - first + 1), kTransfer * rate_hz);
    for (std::size_t side = 0; side < 2; ++side) {
      const bool touches_down = first > 0 && most_[side][first - 1] == 0.0;
      const bool lifts_off = end < count && most_[side][end] == 0.0;
      for (Eigen::Index i = first; i < end; ++i) {
        if (touches_down) most_[side][i] *= smooth_step(static_cast<double>(i - first + 1) / length);
        if (lifts_off) most_[side][i] *= smooth_step(static_cast<double>(end - i) / length);
      }
    }
  }

  std::array<Eigen::VectorXd, 2> most_;
  std::vector<char> both_;
};

double root_mean_square(double squares, double count) { return count > 0.0 ? std::sqrt(squares / count) : 0.0; }

}  // namespace

const char* ReactionForces::name(int contact) {
  constexpr const char* kNames[kCount] = {"left_foot", "right_foot", "seat"};
  return kNames[contact];
}

ReactionForces reaction_forces(const SegmentMotion& segments, const CentroidalMotion& body, const Rises& rises,
                               const FootContacts& feet, const MotionUncertainty& uncertainty) {
  ReactionForces found{.plane_height = segments.floor_height()};
  const Eigen::Index count = body.num_frames();
  if (feet[kLeft].empty() && feet[kRight].empty()) {
    found.note = "neither foot is ever on the floor: the forces of feet and seat are not known";
    return found;
  }
  for (int contact = 0; contact < ReactionForces::kCount; ++contact) {
    found.force[static_cast<std::size_t>(contact)] = Matrix3Xd::Zero(3, count);
    found.cop[static_cast<std::size_t>(contact)] = Eigen::Matrix2Xd::Zero(2, count);
  }
  found.seat_share = found.seat_share_deviation = found.left_share_deviation = Eigen::VectorXd::Zero(count);
  const std::vector<char> is_seated = seated_frames(rises, count);
  const LoadLimits limits(feet, count, body.rate_hz);
  double last_left = 0.5;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Vector2d left = segments.foot_pose(kLeft, i).translation().head<2>();
    const Eigen::Vector2d right = segments.foot_pose(kRight, i).translation().head<2>();
    const Eigen::Vector2d cop = body.cop(i, found.plane_height);
    const bool sits = is_seated[static_cast<std::size_t>(i)] != 0;
    const double left_share = limits.within(i, along(cop, right, left, sits), last_left);
    last_left = left_share;
    const Eigen::Vector2d middle =
        limits.both_down(i) ? Eigen::Vector2d(0.5 * (left + right)) : Eigen::Vector2d(left_share > 0.5 ? left : right);
    const Eigen::Vector2d seat = segments.mid_hip(i).head<2>() - Eigen::Vector2d(kBehindHips, 0.0);
    const double seat_share = sits ? fraction(cop.x(), middle.x(), seat.x()) : 0.0;
    const double shares[] = {(1.0 - seat_share) * left_share, (1.0 - seat_share) * (1.0 - left_share), seat_share};
    // What the shares do not explain of the CoP moves all contacts' CoPs alike.
    const Eigen::Vector2d rest = cop - (shares[0] * left + shares[1] * right + shares[2] * seat);
    const Eigen::Vector2d places[] = {left + rest, right + rest, seat + rest};
    for (std::size_t contact = 0; contact < ReactionForces::kCount; ++contact) {
      found.force[contact].col(i) = shares[contact] * body.force.col(i);
      found.cop[contact].col(i) = places[contact];
    }
    found.seat_share[i] = seat_share;
    if (sits) {
      found.seat_share_deviation[i] =
          std::hypot(uncertainty.cop(0, i), kPressure) / std::max(kPressure, std::abs(middle.x() - seat.x()));
    }
    if (limits.both_down(i)) {
      found.left_share_deviation[i] =
          std::hypot(uncertainty.cop(1, i), kPressure) / std::max(kPressure, (left - right).norm());
    }
  }
  return found;
}

std::optional<ReactionAgreement> reaction_agreement(const ReactionForces& reactions, const CentroidalMotion& body,
                                                    const GroundForces& forces, double plates_mass, const Rises& rises,
                                                    const std::vector<FrameRange>& windows) {
  if (!reactions.is_known() || forces.plates.empty()) return std::nullopt;
  const auto frames = [&](double seconds) { return static_cast<Eigen::Index>(std::lround(seconds * body.rate_hz)); };
  std::vector<char> is_up(static_cast<std::size_t>(body.num_frames()), 0);
  for (const Rise& rise : rises.rises) {
    const Eigen::Index first = std::max<Eigen::Index>(0, rise.up.first - frames(rise.seat_off_s ? kBefore : 0.0));
    for (Eigen::Index i = first; i <= std::min(rise.up.last, body.num_frames() - 1); ++i) {
      is_up[static_cast<std::size_t>(i)] = 1;
    }
  }
  std::vector<char> is_judged(is_up.size(), rises.rises.empty() ? 0 : 1);
  for (const FrameRange& window : windows) {
    if (!rises.rises.empty()) break;
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      is_up[static_cast<std::size_t>(i)] = is_judged[static_cast<std::size_t>(i)] = 1;
    }
  }
  const double weight = plates_mass * kGravity, own_weight = body.mass * kGravity;
  double feet = 0.0, each = 0.0, cop = 0.0, up = 0.0, seat = 0.0, down = 0.0, clear = 0.0;
  for (Eigen::Index i = frames(kEnd); i < body.num_frames() - frames(kEnd); ++i) {
    if (forces.is_seen[static_cast<std::size_t>(i)] == 0 || is_judged[static_cast<std::size_t>(i)] == 0) continue;
    const Wrench left = forces.sum(i, PlateLoad::left_foot), right = forces.sum(i, PlateLoad::right_foot);
    const Wrench both = forces.sum(i, PlateLoad::both_feet);
    const Wrench sum{left.force + right.force + both.force, left.moment + right.moment + both.moment};
    const double own_left = reactions.force[0](2, i), own_right = reactions.force[1](2, i);
    const double error = (own_left + own_right) / own_weight - sum.force.z() / weight;
    if (is_up[static_cast<std::size_t>(i)] == 0) {
      seat += error * error;
      down += 1.0;
      continue;
    }
    feet += error * error;
    each += 0.5 * (std::pow(own_left / own_weight - left.force.z() / weight, 2) +
                   std::pow(own_right / own_weight - right.force.z() / weight, 2));
    up += 1.0;
    if (sum.force.z() < 0.3 * weight || reactions.seat_share[i] > 0.0) continue;
    cop += std::pow(body.cop(i, forces.plane_height).x() - centre_of_pressure(sum, forces.plane_height).x(), 2);
    clear += 1.0;
  }
  if (up == 0.0) return std::nullopt;
  return ReactionAgreement{.feet_force = root_mean_square(feet, up),
                           .foot_force = root_mean_square(each, up),
                           .feet_cop = root_mean_square(cop, clear),
                           .seat_share = root_mean_square(seat, down)};
}

}  // namespace aplomb
