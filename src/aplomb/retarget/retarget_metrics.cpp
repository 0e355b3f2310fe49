#include "aplomb/retarget/retarget_metrics.hpp"

#include <algorithm>

namespace aplomb {

Metrics retarget_metrics(const Retargeted& retargeted, const PlanAudit& audit) {
  Metrics metrics;
  metrics.set("com_residual_max_m", retargeted.com_residual_max);
  metrics.set("com_target_shift_max_m", retargeted.com_target_shift_max);
  metrics.set("com_anchor_change_m", retargeted.com_anchor_change);
  metrics.set("infeasible_frames", static_cast<std::int64_t>(retargeted.infeasible_frames));
  metrics.set("plan_forbidden_by",
              retargeted.violated.empty() ? MetricValue{} : MetricValue(retargeted.forbidden_by()));
  metrics.set("frames", static_cast<std::int64_t>(retargeted.frames.size()));
  metrics.set("marker_rms_m", retargeted.marker_rms);
  metrics.set("marker_rms_free_m", retargeted.marker_rms_free);
  metrics.set("zmp_margin_planned_min_m", retargeted.zmp_margin_min);
  metrics.set("plan_com_deviation_max_m", retargeted.com_target_shift_max);
  metrics.set("plan_com_deviation_rms_m", retargeted.com_target_shift_rms);
  metrics.set("plan_settled", retargeted.is_settled);
  metrics.set("plan_iterations", static_cast<std::int64_t>(retargeted.solver_iterations));
  metrics.set("slowdown", retargeted.slowdown);
  metrics.set("person_flight_s", retargeted.human.flight_s);
  metrics.set("joint_speed_max_rad_per_s", retargeted.joint_speed_max);
  metrics.set("joint_speed_ratio_max", retargeted.joint_speed_ratio_max);
  metrics.set("com_dip_m", retargeted.com_dip);
  metrics.set("jerk_rms_rad_per_s3", retargeted.jerk_rms);
  metrics.set("chair_height_m", retargeted.seated.chair_height);
  metrics.set("scale", retargeted.overlay.scale);
  metrics.set("seat_off_planned_s", retargeted.trajectory.time_s(retargeted.human.rise.seat_off));
  const auto off = [&](const RestingHand& hand) { return retargeted.human.rise.hand_off[hand.side]; };
  const auto last = std::ranges::max_element(retargeted.seated.hands, {}, off);
  const bool has_hands = last != retargeted.seated.hands.end();
  metrics.set("hands_off_planned_s", has_hands ? MetricValue(retargeted.trajectory.time_s(off(*last))) : MetricValue{});
  metrics.set("hand_share_max", has_hands ? hand_share_of(retargeted.trajectory).colwise().sum().maxCoeff() : 0.0);
  set_metrics(audit, metrics);
  if (retargeted.likeness) set_likeness_metrics(*retargeted.likeness, metrics);
  return metrics;
}

}  // namespace aplomb
