#include "aplomb/retarget/mapping/plan_clock.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace aplomb {
namespace {

/// Cubic interpolation (Catmull-Rom) of signals, one column per frame, at a real-valued frame.
Eigen::VectorXd sample_at(const Eigen::MatrixXd& samples, double place) {
  const Eigen::Index last = samples.cols() - 1;
  const auto at = [&](Eigen::Index i) -> Eigen::VectorXd {  // beyond the ends: with the speed there
    if (last == 0) return samples.col(0);
    if (i < 0) return 2.0 * samples.col(0) - samples.col(1);
    if (i > last) return 2.0 * samples.col(last) - samples.col(last - 1);
    return samples.col(i);
  };
  const auto before = std::min(static_cast<Eigen::Index>(place), std::max<Eigen::Index>(0, last - 1));
  const double u = place - static_cast<double>(before);
  const Eigen::VectorXd slope = 0.5 * (at(before + 1) - at(before - 1));
  const Eigen::VectorXd next_slope = 0.5 * (at(before + 2) - at(before));
  return (1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u) * at(before) + u * u * (3.0 - 2.0 * u) * at(before + 1) +
         u * (1.0 - u) * (1.0 - u) * slope - u * u * (1.0 - u) * next_slope;
}

/// Distance covered, per unit of initial speed and of duration, by a motion whose speed fades from 1 to 0 as a minimum
/// jerk profile does: ∫ 1 − (10 s³ − 15 s⁴ + 6 s⁵).
double fade(double s) {
  s = std::clamp(s, 0.0, 1.0);
  const double s2 = s * s;
  return s - s2 * s2 * (2.5 - 3.0 * s + s2);
}

/// The signals on the plan's clock. `places`: frame of the clip at each sample, beyond its ends in lead and tail.
Eigen::MatrixXd resample(const Eigen::MatrixXd& samples, const std::vector<double>& places, double lead, double tail) {
  constexpr Eigen::Index kSpan = 3;  // frames over which the speed at the ends is measured
  const Eigen::Index last = samples.cols() - 1, span = std::min(kSpan, last);
  const Eigen::VectorXd begin_speed = (samples.col(span) - samples.col(0)) / static_cast<double>(span);
  const Eigen::VectorXd end_speed = (samples.col(last) - samples.col(last - span)) / static_cast<double>(span);
  Eigen::MatrixXd result(samples.rows(), static_cast<Eigen::Index>(places.size()));
  for (Eigen::Index k = 0; k < result.cols(); ++k) {
    const double place = places[static_cast<std::size_t>(k)], over = place - static_cast<double>(last);
    if (place < 0.0) {
      result.col(k) = samples.col(0) - lead * fade(-place / lead) * begin_speed;
    } else if (over > 0.0) {
      result.col(k) = samples.col(last) + tail * fade(over / tail) * end_speed;
    } else {
      result.col(k) = sample_at(samples, place);
    }
  }
  return result;
}

}  // namespace

HumanPath on_plan_clock(const HumanPath& clip, const PlanClock& clock) {
  const double step = clip.rate_hz / clock.rate_hz;  // frames of the clip per sample of the plan
  const auto last = static_cast<double>(clip.num_frames() - 1);
  const auto pace = [&](double place) {
    if (clock.stretch.size() == 0) return step;
    const auto i = static_cast<Eigen::Index>(std::clamp(std::lround(place), 0L, std::lround(last)));
    return step / clock.stretch[i];
  };
  std::vector<double> inside;  // from the clip's first frame on
  for (double place = 0.0; place < last; place += pace(place)) inside.push_back(place);
  inside.push_back(last);
  const auto sample_of = [&](Eigen::Index frame) {  // without the lead
    const auto found = std::ranges::lower_bound(inside, static_cast<double>(frame) - 0.5 * step);
    return static_cast<Eigen::Index>(std::min<std::ptrdiff_t>(found - inside.begin(), std::ssize(inside) - 1));
  };
  auto lead = static_cast<Eigen::Index>(std::lround(clock.lead_s * clock.rate_hz));
  while ((lead + sample_of(clip.rise.seat_off)) % clock.grid != 0) ++lead;
  auto tail = static_cast<Eigen::Index>(std::lround(clock.tail_s * clock.rate_hz));
  while ((lead + std::ssize(inside) - 1 + tail) % clock.grid != 0) ++tail;

  std::vector<double> places;
  for (Eigen::Index k = lead; k > 0; --k) places.push_back(-static_cast<double>(k) * step);
  places.insert(places.end(), inside.begin(), inside.end());
  for (Eigen::Index k = 1; k <= tail; ++k) places.push_back(last + static_cast<double>(k) * step);

  HumanPath path = clip;
  path.rate_hz = clock.rate_hz;
  path.start_s = clip.start_s - static_cast<double>(lead) / clock.rate_hz;
  const double lead_frames = static_cast<double>(lead) * step, tail_frames = static_cast<double>(tail) * step;
  path.com = resample(clip.com, places, lead_frames, tail_frames);
  path.markers = resample(clip.markers, places, lead_frames, tail_frames);
  if (clip.feet.cols() > 0) path.feet = resample(clip.feet, places, lead_frames, tail_frames);
  const auto frame = [&](Eigen::Index i) { return lead + sample_of(i); };
  path.rise = {.overlay = frame(clip.rise.overlay),
               .onset = frame(clip.rise.onset),
               .seat_off = frame(clip.rise.seat_off),
               .stand = frame(clip.rise.stand)};
  const auto change = [&](Eigen::Index i) {  // of a contact: the nearest multiple of edge_grid
    const Eigen::Index sample = sample_of(i);
    const double past = (static_cast<double>(i) - inside[static_cast<std::size_t>(sample)]) / step;
    const auto grid = static_cast<double>(clock.edge_grid);
    const auto steps = static_cast<Eigen::Index>(std::lround((static_cast<double>(lead + sample) + past) / grid));
    return std::min(steps, (path.num_frames() - 1) / clock.edge_grid) * clock.edge_grid;
  };
  for (std::size_t side = 0; side < 2; ++side) {
    if (clip.rise.hand_off[side] > 0) path.rise.hand_off[side] = change(clip.rise.hand_off[side]);
  }
  for (KeyFrame& key : path.keys) {
    if (key.kind == KeyFrame::Kind::seat_off || key.kind == KeyFrame::Kind::seat_on) {
      key.first = key.last = change(key.first);
      continue;
    }
    const bool is_first = key.first == 0, is_last = key.last == clip.num_frames() - 1;
    key = {key.kind, is_first ? 0 : frame(key.first), is_last ? path.num_frames() - 1 : frame(key.last)};
  }
  for (ContactInterval& contact : path.contacts) {
    contact.begin = contact.begin == 0 ? 0 : change(contact.begin);
    contact.end = contact.end == clip.num_frames() ? path.num_frames() : change(contact.end);
  }
  return path;
}

}  // namespace aplomb
