#pragma once

#include "aplomb/core/metric_names.hpp"

/// Metrics of what a person does, and of what a robot makes of it. Letters as in metric_names.cpp.
namespace aplomb::person_metrics {

using enum MetricInfo::Kind;

inline constexpr MetricInfo kDemonstrate[] = {
    {"frames", count, "-", "frames of the motion"},
    {"duration_s", number, "s", "time that the recording covers"},
    {"zmp_margin_min_m", number, "m",
     "smallest signed distance of the ZMP to the edge of the feet while the seat carries nothing"},
    {"vertical_force_min_per_weight", number, "-", "smallest vertical force of the ground over m g"},
    {"vertical_force_max_per_weight", number, "-", "largest vertical force of the ground over m g"},
    {"friction_needed", number, "-", "largest horizontal over vertical force of the ground"},
    {"seat_share_start", number, "-", "part of the ground's force that the seat carries at first"},
    {"seat_share_step_max", number, "-", "largest change of that part between two samples of the plates"},
    {"seat_off_times_s", list, "s", "times at which the seat was left"},
    {"seat_on_times_s", list, "s", "times at which the seat was touched again"},
    {"hand_share_max", number, "-", "largest part of the whole force that hands on arm rests carry; no plate feels it"},
    {"hands_off_times_s", list, "s", "times at which the hands left the arm rests"},
    {"chair_height_m", number, "m", "height of the seat; null without a chair"},
    {"com_dip_m", number, "m", "how far the CoM goes below where it starts"},
    {"com_end_back_m", number, "m", "how far the CoM ends behind its most forward place"},
    {"zmp_repairs", count, "-", "iterations that brought the ZMP into the feet"},
    {"markers", count, "-", "markers of the recording"},
    {"marker_samples_lost", count, "-", "samples of markers that were lost on purpose"},
    {"label_swaps", count, "-", "times that two labels were exchanged on purpose"},
};

inline constexpr MetricInfo kHuman[] = {
    {"marker_rms_m", number, "m", "root mean square distance of measured to model markers, over markers and frames"},
    {"marker_p95_frame_m", number, "m", "95th percentile over frames of the frame's root mean square marker distance"},
    {"marker_worst_m", number, "m", "root mean square distance of the worst marker, over frames"},
    {"cop_x_rms_m", number, "m",
     "root mean square difference, forward, of the model's CoP (from the motion of its CoM) and the plates'"},
    {"cop_y_rms_m", number, "m", "the same sideways"},
    {"cop_x_rms_before_m", number, "m", "`cop_x_rms_m` before the model's mass distribution was adjusted"},
    {"cop_x_holdout_rms_m", number, "m", "`cop_x_rms_m` on the part of the recording that the adjustment did not see"},
    {"force_x_rms_n", number, "N", "root mean square difference, forward, of m c'' and the plates' force"},
    {"force_z_rms_n", number, "N", "root mean square difference, upward, of m (c'' + g) and the plates' force"},
    {"mass_from_plates_kg", number, "kg", "mean vertical plate force at rest over g"},
    {"rises", count, "-", "number of rises from the seat that were found"},
    {"seat_off_times_s", list, "s", "times at which the seat was left, by the plates' clock where plates tell it"},
    {"seat_on_times_s", list, "s", "times at which the seat was touched again, by the same clock"},
    {"hands_off_times_s", list, "s",
     "times at which the last hand left its arm rest, of the rises that have one there"},
    {"body_height_m", number, "m", "from sole to vertex of the scaled skeleton, upright"},
    {"label_faults", count, "-", "swapped labels and markers more than 6 cm off, each run of frames once"},
    {"plate_lag_s", number, "s", "how much later the plates tell than the markers; corrected for"},
};

inline constexpr MetricInfo kRetarget[] = {
    {"com_residual_max_m", number, "m", "largest distance of the robot's CoM to the CoM that was asked for"},
    {"com_target_shift_max_m", number, "m",
     "largest distance, from seat-off on, of the CoM that was asked for to the mapped human CoM s c_h + o(t)"},
    {"com_anchor_change_m", number, "m", "how much the offset o(t) changes from seat-off on"},
    {"infeasible_frames", count, "-", "frames in which the constraints could not all be met"},
    {"frames", count, "-", "frames of the motion"},
    {"marker_rms_m", number, "m",
     "root mean square distance of the mapped human markers to the robot's, over markers and frames"},
    {"marker_rms_free_m", number, "m", "the same without the CoM constraint"},
    {"zmp_margin_planned_min_m", number, "m", "smallest signed distance of the planned ZMP to the support's edge"},
    {"joint_speed_max_rad_per_s", number, "rad/s", "largest planned joint rate"},
    {"com_dip_m", number, "m", "how far the planned CoM goes down before it rises"},
    {"zmp_shift_max_m", number, "m", "largest horizontal shift of the CoM that the ZMP constraint asked for"},
    {"slowdown", number, "-", "duration of the plan over the person's; above 1 where shifting the CoM is not enough"},
    {"jerk_rms_rad_per_s3", number, "rad/s^3", "root mean square of the planned joints' jerk"},
    {"jerk_rms_frames_rad_per_s3", number, "rad/s^3", "the same before the clip pass"},
    {"chair_height_m", number, "m", "of the robot's chair"},
    {"scale", number, "-", "legs of the robot over legs of the person"},
    {"seat_off_planned_s", number, "s", "time at which the plan leaves the seat"},
    {"hands_off_planned_s", number, "s", "time at which the plan's last hand leaves its arm rest; null without any"},
    {"hand_share_max", number, "-", "largest part of the whole force that the plan gives to hands on arm rests"},
    {"motions", count, "-", "how many motions were given, where there were several"},
    {"motions_failed", count, "-", "those of them that failed a check or were left out"},
};

}  // namespace aplomb::person_metrics
