#include "aplomb/retarget/repair/stance_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace aplomb {
namespace {

constexpr double kJoin = 0.05;   // [m] stances of one foot that are nearer, with a short gap, are one
constexpr double kReach = 0.10;  // [m] farthest a foot is held back or brought forward to close a gap
constexpr double kPivot = 0.35;  // [rad] range of headings above which a standing foot pivots

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

double heading_of(const FootTrack& foot, Eigen::Index frame) {
  return std::atan2(foot.forward(1, frame), foot.forward(0, frame));
}

double unwrapped(double angle, double near) {
  return angle - 2.0 * std::numbers::pi * std::round((angle - near) / (2.0 * std::numbers::pi));
}

/// Mean place and heading of the sole over the frames.
void place(const FootTrack& foot, FootStance& stance) {
  const Eigen::Index count = stance.end - stance.begin;
  stance.place = foot.centre.block(0, stance.begin, 2, count).rowwise().mean();
  double near = heading_of(foot, stance.begin), sum = 0.0, least = near, most = near;
  for (Eigen::Index i = stance.begin; i < stance.end; ++i) {
    near = unwrapped(heading_of(foot, i), near);
    sum += near;
    least = std::min(least, near);
    most = std::max(most, near);
  }
  stance.heading = sum / static_cast<double>(count);
  stance.pivots = most - least > kPivot;
}

std::vector<FootStance> stances_of(const FootTrack& foot, int side, double rate_hz, const StanceRule& rule) {
  std::vector<FootStance> found;
  const auto frames = static_cast<Eigen::Index>(foot.stance.size());
  for (Eigen::Index i = 0; i < frames; ++i) {
    if (!foot.stance[at(i)]) continue;
    if (i > 0 && foot.stance[at(i - 1)]) {
      found.back().end = i + 1;
    } else {
      found.push_back({.side = side, .begin = i, .end = i + 1});
    }
  }
  for (FootStance& one : found) place(foot, one);
  const auto shortest = static_cast<Eigen::Index>(std::lround(rule.shortest_s * rate_hz));
  for (std::size_t i = 0; i + 1 < found.size();) {
    const FootStance &one = found[i], &next = found[i + 1];
    const bool is_short = next.begin - one.end <= shortest && (next.place - one.place).norm() < kJoin;
    double highest = 0.0;
    for (Eigen::Index k = one.end; k < next.begin; ++k) highest = std::max(highest, foot.lowest[at(k)]);
    if (!is_short || highest > rule.height_m) {
      ++i;
      continue;
    }
    found[i].end = next.end;
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    place(foot, found[i]);
  }
  return found;
}

}  // namespace

Eigen::Isometry3d FootStance::T_world_sole() const {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << place, 0.0;
  pose.linear() = Eigen::AngleAxisd(heading, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return pose;
}

StancePlan plan_stances(const std::array<FootTrack, 2>& feet, const std::vector<char>& needs_floor, double rate_hz,
                        const StanceRule& rule) {
  const auto frames = static_cast<Eigen::Index>(needs_floor.size());
  std::array<std::vector<FootStance>, 2> found;
  for (int side = 0; side < 2; ++side) found[at(side)] = stances_of(feet[at(side)], side, rate_hz, rule);
  const auto is_held = [&](Eigen::Index i) {
    const auto holds = [i](const FootStance& one) { return one.begin <= i && i < one.end; };
    return std::ranges::any_of(found[0], holds) || std::ranges::any_of(found[1], holds);
  };
  StancePlan plan;
  for (Eigen::Index begin = 0; begin < frames; ++begin) {
    if (is_held(begin)) continue;
    Eigen::Index end = begin;
    while (end < frames && !is_held(end)) ++end;
    FootStance *before = nullptr, *after = nullptr;
    for (auto& side : found) {
      for (FootStance& one : side) {
        if (one.end == begin) before = &one;
        if (one.begin == end) after = &one;
      }
    }
    // What it costs to hold the first foot up to frame `split`, and to have the second one there from then on.
    const auto off = [&](const FootStance* one, Eigen::Index i) {
      if (one == nullptr) return std::numeric_limits<double>::infinity();
      const FootTrack& foot = feet[at(one->side)];
      return (foot.centre.col(i) - Eigen::Vector3d(one->place.x(), one->place.y(), 0.0)).norm();
    };
    const bool is_needed =
        std::any_of(needs_floor.begin() + begin, needs_floor.begin() + end, [](char c) { return c; });
    Eigen::Index best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index split = begin; split <= end && is_needed; ++split) {
      double farthest = 0.0;
      for (Eigen::Index i = begin; i < end; ++i) farthest = std::max(farthest, off(i < split ? before : after, i));
      if (farthest >= least) continue;
      least = farthest;
      best = split;
    }
    if (best >= 0 && least < kReach) {
      if (before != nullptr && best > begin) before->end = best;
      if (after != nullptr && best < end) after->begin = best;
    } else {
      plan.flights.emplace_back(begin, end);
    }
    begin = end;
  }
  for (int side = 0; side < 2; ++side) {
    plan.at[at(side)].assign(at(frames), -1);
    for (const FootStance& one : found[at(side)]) {
      std::fill(plan.at[at(side)].begin() + one.begin, plan.at[at(side)].begin() + one.end,
                static_cast<int>(plan.stances.size()));
      plan.stances.push_back(one);
    }
  }
  return plan;
}

}  // namespace aplomb
