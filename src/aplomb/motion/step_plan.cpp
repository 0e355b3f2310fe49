#include "aplomb/motion/step_plan.hpp"

#include <algorithm>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

// Fractions of the swing time between which the foot moves forward; lift and lowering overlap.
constexpr double kMoveBegin = 0.2, kMoveEnd = 0.8;

/// Height profile 64 s³ (1 − s)³ from 0 to 1 and back, with zero velocity and acceleration at both ends.
AxisMotion bump(double time_s, double duration_s) {
  if (time_s <= 0.0 || time_s >= duration_s) return {};
  const double s = time_s / duration_s, rest = 1.0 - s;
  return {.position = 64.0 * s * s * s * rest * rest * rest,
          .velocity = 192.0 * s * s * rest * rest * (1.0 - 2.0 * s) / duration_s};
}

}  // namespace

StepPlan::Foot StepPlan::at(int side, double time_s) const {
  Foot foot;
  for (const FootStep& step : steps_) {
    if (step.foot != side) continue;
    const double into_swing = time_s - step.lift_off_s;
    if (into_swing <= 0.0) break;
    const AxisMotion ahead =
        minimum_jerk(into_swing - kMoveBegin * step.swing_s(), (kMoveEnd - kMoveBegin) * step.swing_s());
    const AxisMotion up = bump(into_swing, step.swing_s());
    foot.offset += ahead.position * step.step + up.position * step.lift * Eigen::Vector3d::UnitZ();
    foot.velocity += ahead.velocity * step.step + up.velocity * step.lift * Eigen::Vector3d::UnitZ();
    foot.is_lifted = time_s < step.touch_down_s;
  }
  return foot;
}

int StepPlan::reference_side(double time_s, int present) const {
  for (const FootStep& step : steps_) {
    const double begin = 0.5 * (step.unload_s + step.lift_off_s), end = 0.5 * (step.touch_down_s + step.carry_s);
    if (time_s >= begin && time_s < end) return 1 - step.foot;
  }
  return present;
}

std::vector<ComReference::Point> StepPlan::com_points(const std::array<Eigen::Vector3d, 2>& soles) const {
  std::vector<ComReference::Point> points;
  std::array<Eigen::Vector3d, 2> at = soles;
  const Eigen::Vector3d start = 0.5 * (soles[0] + soles[1]);
  const auto add = [&points](double time_s, Eigen::Vector3d offset) {
    offset.z() = 0.0;
    points.push_back({.time_s = time_s, .offset = offset});
  };
  for (const FootStep& step : steps_) {
    const auto foot = static_cast<std::size_t>(step.foot);
    add(std::max(step.unload_s, 1e-3), points.empty() ? Eigen::Vector3d::Zero() : points.back().offset);
    add(step.lift_off_s, at[1 - foot] - start);
    add(step.touch_down_s, at[1 - foot] - start);
    at[foot] += step.step;
    add(step.carry_s, 0.5 * (at[0] + at[1]) - start);
  }
  return points;
}

}  // namespace aplomb
