#include "aplomb/core/metric_names.hpp"

#include <algorithm>
#include <array>

namespace aplomb {
namespace {

using enum MetricInfo::Kind;

// Letters as in docs/notation.md: c centre of mass, k angular momentum about it, f force, tau torque; a star is a
// reference, |.| the Euclidean norm.
constexpr MetricInfo kEveryRun[] = {
    {"fell", flag, "-",
     "pelvis or head below half its planned height, or trunk more than 60 degrees off its planned orientation"},
    {"fell_at_s", number, "s", "first time at which `fell` became true; null when it never did"},
    {"duration_s", number, "s", "simulated time; shorter than asked for when the robot fell"},
    {"sim_warnings", count, "-", "warnings of the physics engine; zero in a good run"},
    {"solver_failures", count, "-",
     "control ticks in which a solve failed (the last command is repeated, or torques are clamped), or in which the "
     "controller missed a reading that was there"},
    {"held_ticks", count, "-",
     "control ticks in which the last command was repeated because a reading that the controller needs was lost or "
     "not finite"},
    {"deadline_misses", count, "-",
     "control ticks in which a solve was ended by its budget of operations (docs/failsafe.md)"},
    {"nonfinite_values", count, "-", "NaN or infinite values in commands and states that are not injected faults"},
    {"com_error_rms_m", number, "m",
     "root mean square over time of |c - c*|, over the coordinates that the reference prescribes"},
    {"com_error_max_m", number, "m", "largest |c - c*|, over the same coordinates"},
    {"com_error_end_m", number, "m", "mean of |c - c*| over the last 0.5 s, over the same coordinates"},
    {"trunk_tilt_max_rad", number, "rad", "largest angle of the rotation between the trunk and its reference"},
    {"cop_margin_min_m", number, "m",
     "smallest signed distance of a foot's CoP to its sole's edge, inside positive; feet that carry over 5 % of the "
     "weight, 20 Hz low-pass, foot frame"},
    {"cop_command_rms_m", number, "m",
     "root mean square distance of each loaded foot's CoP to the commanded one, both 20 Hz low-pass; null when none is "
     "commanded"},
    {"zmp_margin_min_m", number, "m",
     "smallest signed distance of the whole-body ZMP to the support polygon's edge; null unless all contacts are feet "
     "on one level plane"},
    {"torque_peak_ratio", number, "-", "largest |tau_i| over joint i's limit"},
    {"joint_limit_margin_min_rad", number, "rad", "smallest min(q_i - lower_i, upper_i - q_i) over joints and time"},
    {"slip_max_m", number, "m",
     "largest horizontal distance of a planted foot's sole centre from where it was planted"},
    {"torque_jump_max_nm", number, "N m",
     "largest |tau_i(t) - tau_i(t - dt)| of a commanded joint torque between control ticks"},
    {"contact_force_jump_max_n", number, "N",
     "largest |f_z(t) - f_z(t - dt)| of a measured foot normal force between control ticks"},
};

constexpr MetricInfo kFailsafe[] = {
    {"failsafe_level", text, "-", "level of the failsafe ladder at the end, the highest of the run (docs/failsafe.md)"},
    {"failsafe_first_s", number, "s", "first time at which that level was not `nominal`; null when it always was"},
};

constexpr MetricInfo kLink[] = {
    {"link_damped", flag, "-", "the link damped the joints, because commands or readings did not come"},
    {"link_damped_at_s", number, "s", "simulated time of the first damped tick; null when there was none"},
    {"link_last_command_s", number, "s", "simulated time of the newest reading that a command answered"},
    {"link_late_commands", count, "-", "control ticks in which no new command was there, and the last one was applied"},
    {"link_limited_commands", count, "-", "control ticks in which the change of a joint's command was limited"},
    {"link_refused_commands", count, "-",
     "commands that were not applied: not finite, a repetition, or in answer to no reading"},
};

constexpr MetricInfo kEstimate[] = {
    {"base_position_error_rms_m", number, "m",
     "root mean square of |r_estimated - r|, r the base's position from the mid-point of the feet's origins, turned "
     "to heading zero"},
    {"base_drift_m_per_s", number, "m/s",
     "change of the absolute position error from the first to the last tick, over the run's duration"},
    {"base_tilt_error_max_rad", number, "rad", "largest angle between estimated and true vertical, seen from the base"},
    {"base_tilt_error_rms_rad", number, "rad", "root mean square of the same angle"},
    {"base_velocity_error_rms_m_per_s", number, "m/s",
     "root mean square of |v_estimated - v| of the base, both turned to heading zero"},
    {"base_velocity_error_mean_m_per_s", number, "m/s", "norm of the mean over time of the same difference"},
    {"base_velocity_to_feet_error_rms_m_per_s", number, "m/s",
     "the same of the base's velocity less the mean velocity of the feet that carry over 5 % of the weight"},
    {"contact_detection_error_s", number, "s",
     "time in which estimated and true ground reaction disagree on whether a foot carries over 5 % of the weight, "
     "summed over the feet"},
    {"nees_mean", number, "-",
     "mean over time of e' P^-1 e / 5, e the error of tilt and velocity, P its covariance as estimated; 1 when the "
     "covariance is right"},
    {"base_tilt_sigma_end_rad", number, "rad",
     "standard deviation of the tilt about one horizontal axis at the end of a recorded log, as estimated"},
    {"slips", count, "-", "readings at which a foot of a recorded log was found to slip"},
    {"missing_readings", count, "-",
     "readings of a recorded log without accelerometer, gyroscope or encoders of finite values"},
    {"torque_change_rms_ratio", number, "-",
     "root mean square of tau_i(t) - tau_i(t - dt) of the commanded torque over joint i's limit, largest joint"},
};

constexpr MetricInfo kGrade[] = {
    {"grade", text, "-",
     "letter of the worst criterion: A up to 1 % of the frames break a rule, B 5 %, C 15 %, D 40 %, E more"},
    {"grade_points", count, "-", "the same as a number: A 4, B 3, C 2, D 1, E 0; of several motions that of the worst"},
    {"motions", count, "-", "motions that were given"},
    {"motions_not_read", count, "-", "motions that were refused; null grade"},
    {"frames_graded", count, "-", "frames of the motion"},
    {"motion_duration_s", number, "s", "its duration"},
    {"flight_ratio", number, "-",
     "fraction of frames without a foot in stance in which the motion needs at most half the weight: free flight"},
    {"floating_ratio", number, "-",
     "fraction of frames out of flight in which no sole's corner is within 1 cm of the floor"},
    {"floating_max_m", number, "m", "largest height of the lowest sole corner in those frames"},
    {"penetration_ratio", number, "-", "fraction of frames in which a sole's corner is over 1 cm in the floor"},
    {"penetration_max_m", number, "m", "deepest sole corner below the floor"},
    {"sliding_ratio", number, "-",
     "fraction of stance samples (feet times frames) in which the sole's centre moves faster than 0.1 m/s along the "
     "floor"},
    {"sliding_max_m_per_s", number, "m/s", "largest such speed"},
    {"slide_in_one_stance_max_m", number, "m",
     "largest distance of a sole's centre, along the floor, from where its stance began"},
    {"toe_skating_ratio", number, "-",
     "fraction of frames with a foot in stance in which the toe of such a foot moves by over 1 cm per 1/30 s along the "
     "floor (the foot sliding of OmniRetarget's evaluator)"},
    {"toe_skating_max_m_per_s", number, "m/s", "largest speed of such a toe"},
    {"base_drift_max_m", number, "m",
     "farthest that the sum of the mean movements of the feet in stance gets: the base's path against still feet"},
    {"zmp_outside_ratio", number, "-",
     "fraction of frames in stance in which the ZMP (4 Hz low-pass) is over 2 cm outside of the soles in stance"},
    {"zmp_outside_max_m", number, "m", "largest such distance"},
    {"friction_ratio", number, "-", "fraction of frames in stance in which |F_xy| / F_z (4 Hz) is over 0.8"},
    {"friction_max", number, "-", "largest |F_xy| / F_z in stance, F_z taken as 5 % of the weight at least"},
    {"impossible_flight_ratio", number, "-",
     "fraction of frames in which no foot is in stance and the motion needs over half the weight from the floor"},
    {"impossible_flight_max", number, "-", "largest such force over the weight"},
    {"torque_ratio", number, "-",
     "fraction of frames in stance in which a joint's torque (4 Hz; the soles share the wrench by their distance to "
     "the ZMP) is over its limit"},
    {"torque_max_ratio", number, "-", "largest torque over its limit"},
    {"joint_speed_ratio", number, "-", "fraction of frames in which a joint is faster than its limit"},
    {"joint_speed_max_ratio", number, "-", "largest joint speed over its limit"},
    {"joint_range_ratio", number, "-", "fraction of frames in which a joint is over 0.01 rad beyond its range"},
    {"joint_range_max_rad", number, "rad", "farthest joint beyond its range"},
    {"self_collision_ratio", number, "-",
     "fraction of frames in which two links' simple shapes are over 1 cm inside each other"},
    {"self_collision_max_m", number, "m", "deepest of them"},
    {"joint_jerk_rms_rad_per_s3", number, "rad/s^3", "root mean square of the joints' third derivative (4 Hz)"},
    {"repaired_grade", text, "-", "`grade` of the motion that `--repair` wrote"},
    {"repaired_grade_points", count, "-", "the same as a number; of several motions that of the worst"},
    {"repaired_floating_ratio", number, "-", "`floating_ratio` of the motion that `--repair` wrote"},
    {"repaired_penetration_ratio", number, "-", "`penetration_ratio` of the motion that `--repair` wrote"},
    {"repaired_sliding_ratio", number, "-", "`sliding_ratio` of the motion that `--repair` wrote"},
    {"repaired_zmp_outside_ratio", number, "-", "`zmp_outside_ratio` of the motion that `--repair` wrote"},
    {"repaired_friction_ratio", number, "-", "`friction_ratio` of the motion that `--repair` wrote"},
    {"repaired_impossible_flight_ratio", number, "-", "`impossible_flight_ratio` of the motion that `--repair` wrote"},
    {"repaired_torque_ratio", number, "-", "`torque_ratio` of the motion that `--repair` wrote"},
    {"repaired_joint_speed_ratio", number, "-", "`joint_speed_ratio` of the motion that `--repair` wrote"},
    {"repaired_joint_range_ratio", number, "-", "`joint_range_ratio` of the motion that `--repair` wrote"},
    {"repaired_self_collision_ratio", number, "-", "`self_collision_ratio` of the motion that `--repair` wrote"},
    {"body_change_mean_m", number, "m",
     "mean over frames and bodies of the distance between a body's origin before and after the repair"},
    {"body_change_max_m", number, "m", "largest such distance"},
    {"unmended", count, "-", "lines that name what the repair could not mend"},
};

constexpr MetricInfo kTaskPriority[] = {
    {"zmp_error_rms_m", number, "m", "root mean square of max(|x|, |y|) of the whole-body ZMP minus its reference"},
    {"zmp_error_max_m", number, "m", "largest max(|x|, |y|) of the whole-body ZMP minus its reference"},
    {"zmp_offset_end_m", number, "m",
     "mean distance of the whole-body ZMP to where it rested before the first push, over the last 0.2 s in which the "
     "last push is held; without a push of 0.5 s, to its reference over the last 0.5 s of the run"},
    {"zmp_settle_s", number, "s",
     "time from the end of the last push until the whole-body ZMP stays within 2 mm of where it rested; null without a "
     "push, or when it does not"},
    {"feet_position_error_max_m", number, "m",
     "largest distance of the left foot to its reference in the right's frame"},
    {"feet_rotation_error_max_rad", number, "rad", "largest angle of the left foot to its reference in that frame"},
    {"com_height_error_max_m", number, "m", "largest |c_z - c_z*|"},
    {"period_repeat_max_rad", number, "rad",
     "largest difference of a joint angle to itself one period of the CoM's sine earlier, over the last period; null "
     "without two whole periods after the ramp"},
    {"damped_ticks", count, "-", "control ticks in which a level of the hierarchy had nearly lost rank and was damped"},
    {"bounded_ticks", count, "-", "control ticks in which a joint's bound was active"},
    {"joint_drift_max_rad", number, "rad", "largest |commanded - measured| joint angle"},
};

constexpr MetricInfo kMomentumBalance[] = {
    {"linear_rate_error_max_n", number, "N", "largest |desired - admissible| rate of change of linear momentum"},
    {"angular_rate_given_up_max_nm", number, "N m",
     "largest |desired - admissible| rate of change of angular momentum about the CoM"},
    {"given_up_friction_max_n", number, "N",
     "largest part of the desired linear rate that the friction cones do not admit"},
    {"given_up_unilateral_max_n", number, "N", "largest part of the desired linear rate that needs the ground to pull"},
    {"given_up_cop_max_nm", number, "N m",
     "largest part of the desired angular rate that the limits of the CoP do not admit"},
    {"given_up_torque_max_n", number, "N",
     "largest part of the desired linear rate that the torque limits do not admit"},
    {"given_up_torque_max_nm", number, "N m",
     "largest part of the desired angular rate that the torque limits do not admit"},
    {"swing_foot_position_error_max_m", number, "m",
     "largest error of the position that a foot in the air should keep, as a part of log(T^-1 T_d) of eq. 15, by the "
     "controller's readings; null when no foot was in the air"},
    {"swing_foot_rotation_error_max_rad", number, "rad", "the same of its rotation"},
    {"capture_point_left_support_s", number, "s",
     "first time at which the capture point was outside of the support polygon by 0.05 CoM heights, so that only a "
     "step would help; null when it never was"},
    {"steps_taken", count, "-", "number of steps; only with `controller.momentum_balance.stepping`, as the next three"},
    {"step_length_max_m", number, "m",
     "longest way of a foot from where it stood to where it landed; null without a step"},
    {"step_time_min_s", number, "s",
     "shortest time from the decision to step until the foot landed; null without a step"},
    {"step_time_max_s", number, "s", "longest such time"},
    {"push_limit_n", list, "N", "largest push that still passes, one for each direction of `search`"},
    {"pendulum_limit_n", list, "N",
     "largest push that a linear inverted pendulum on the same support survives, m omega d over the push's duration, "
     "same order"},
};

constexpr MetricInfo kPartialForce[] = {
    {"hand_force_rmse_n", number, "N", "root mean square over time of |f - f*| of the hand's contact force"},
    {"hand_force_error_max_n", number, "N", "largest |f - f*| of the hand's contact force"},
    {"hand_slip_max_m", number, "m", "largest distance, along the wall, of a hand from where it came to the wall"},
    {"hand_speed_max_m_per_s", number, "m/s", "largest speed of a hand that shall press"},
    {"zmp_jump_liftoff_m", number, "m", "largest change of the ZMP per tick within 20 ms of the lift-off"},
    {"zmp_jump_switch_m", number, "m", "largest change of the ZMP per tick within 20 ms of the switch of control law"},
    {"foot_force_jump_liftoff_n", number, "N", "largest change of a foot's force per tick within 20 ms of lift-off"},
    {"foot_force_jump_switch_n", number, "N", "largest change of a foot's force per tick within 20 ms of the switch"},
    {"torque_jump_liftoff_nm", number, "N m", "largest change of a joint torque per tick within 20 ms of the lift-off"},
    {"torque_jump_switch_nm", number, "N m", "largest change of a joint torque per tick within 20 ms of the switch"},
    {"touchdown_force_jump_n", number, "N", "largest change of a contact force per tick within 20 ms of touch-down"},
    {"touchdown_torque_jump_nm", number, "N m", "largest change of a joint torque per tick within 20 ms of touch-down"},
    {"law", text, "-", "name of the control law that was used"},
    {"limit_active_s", number, "s", "time in which a contact or torque limit was active"},
    {"full_law_s", number, "s", "time in which problem (2) was solved in full"},
    {"hand_without_wall_s", number, "s",
     "time for which a hand, the worse of both, was without its wall while a force was desired"},
    {"force_given_up_max_n", number, "N", "largest part of the controlled forces that was infeasible"},
    {"com_given_up_max_m_per_s2", number, "m/s^2", "largest part of the desired CoM acceleration that was infeasible"},
};

constexpr MetricInfo kIdentify[] = {
    {"holdout_rms_m", number, "m",
     "root mean square of the predicted forward CoM minus the measured forward CoP on postures that were held out"},
    {"holdout_lateral_rms_m", number, "m", "the same sideways; null for the sagittal model"},
    {"cad_holdout_rms_m", number, "m", "`holdout_rms_m` with the CAD's parameters"},
    {"scaled_cad_holdout_rms_m", number, "m", "`holdout_rms_m` with the CAD times measured over CAD weight"},
    {"least_squares_holdout_rms_m", number, "m", "`holdout_rms_m` with plain least squares"},
    {"kfold_rms_m", number, "m", "`holdout_rms_m` over ten folds, so that each posture is held out once"},
    {"com_path_error_rms_m", number, "m",
     "root mean square horizontal CoM error along the stand-up path against the simulator's truth, if there is one"},
    {"com_path_error_least_squares_rms_m", number, "m", "the same with plain least squares"},
    {"com_path_error_cad_rms_m", number, "m", "the same with the CAD's parameters"},
    {"com_path_error_height_rms_m", number, "m", "root mean square CoM height error along the same path"},
    {"com_path_error_without_torques_rms_m", number, "m",
     "`com_path_error_rms_m` of the same postures without their joint torques; only where torques are measured"},
    {"com_path_error_least_squares_without_torques_rms_m", number, "m", "the same with plain least squares"},
    {"rank", count, "-", "numerical rank of the stacked regressor"},
    {"parameters", count, "-", "columns of the stacked regressor"},
    {"infeasible_links", count, "-", "links whose identified mass or CoM no rigid body can have"},
    {"identified_mass_kg", number, "kg", "total mass of the estimate"},
    {"residual_variance", number, "-",
     "squared whitened residuals over rows minus rank; 1 when the stated noise is right"},
    {"prior_weight", number, "-", "weight of the entropic distance to the CAD"},
    {"postures", count, "-", "postures that were used"},
    {"dropped_postures", count, "-", "postures that were dropped because they were not at rest"},
    {"wrench_holdout_rms_n", number, "N",
     "moving data: root mean square error of the net force and moment, weighted to newtons, on held-out blocks"},
    {"cad_wrench_holdout_rms_n", number, "N", "the same with the CAD's parameters"},
    {"torque_residual_rms_nm", number, "N m", "moving data: root mean square of the torque residual of the fit"},
    {"payload_mass_kg", number, "kg", "estimated payload mass at the end of the run"},
    {"payload_com_error_end_m", number, "m", "horizontal error of the CoM that the controller uses, at the end"},
    {"payload_corrected_s", number, "s", "time from the last hand-over until that error stays below 2 mm, or null"},
};

constexpr MetricInfo kDemonstrate[] = {
    {"frames", count, "-", "frames of the motion"},
    {"duration_s", number, "s", "time that the recording covers"},
    {"zmp_margin_min_m", number, "m",
     "smallest signed distance of the ZMP to the edge of the feet while the seat is unloaded"},
    {"vertical_force_min_per_weight", number, "-", "smallest vertical force of the ground over m g"},
    {"vertical_force_max_per_weight", number, "-", "largest vertical force of the ground over m g"},
    {"friction_needed", number, "-", "largest horizontal over vertical force of the ground"},
    {"seat_share_start", number, "-", "fraction of the ground reaction force that the seat carries at the start"},
    {"seat_share_step_max", number, "-", "largest change of that fraction between two plate samples"},
    {"seat_off_times_s", list, "s", "times of seat-off: first sample without load on the seat"},
    {"seat_on_times_s", list, "s", "times at which the seat was touched again"},
    {"hand_share_max", number, "-",
     "largest fraction of the contact force that hands on arm rests carry; no plate measures it"},
    {"hands_off_times_s", list, "s", "times at which the hands left the arm rests"},
    {"chair_height_m", number, "m", "height of the seat; null without a chair"},
    {"com_dip_m", number, "m", "largest descent of the CoM below its start"},
    {"com_end_back_m", number, "m", "distance of the final CoM behind its most forward position"},
    {"zmp_repairs", count, "-", "iterations that moved the ZMP into the support polygon"},
    {"markers", count, "-", "markers of the recording"},
    {"marker_samples_lost", count, "-", "marker samples removed on purpose"},
    {"label_swaps", count, "-", "label swaps made on purpose"},
};

constexpr MetricInfo kHuman[] = {
    {"marker_rms_m", number, "m", "root mean square distance of measured to model markers, over markers and frames"},
    {"marker_p95_frame_m", number, "m", "95th percentile over frames of the frame's root mean square marker distance"},
    {"marker_worst_m", number, "m", "root mean square distance of the worst marker, over frames"},
    {"cop_x_rms_m", number, "m",
     "root mean square difference, forward, of the model's CoP (from the motion of its CoM) and the plates'"},
    {"cop_y_rms_m", number, "m", "the same sideways"},
    {"cop_x_rms_before_m", number, "m", "`cop_x_rms_m` before the model's mass distribution was adjusted"},
    {"cop_offset_before_m", number, "m",
     "distance of the mean CoP of a mean body from the plates' mean CoP, in all windows"},
    {"plate_shift_deviations", number, "-",
     "largest estimated shift of a force plate (or of all) from its stated place, over its standard deviation"},
    {"cop_x_holdout_rms_m", number, "m", "`cop_x_rms_m` on the part of the recording that the adjustment did not see"},
    {"cop_y_holdout_rms_m", number, "m", "the same sideways"},
    {"force_x_rms_n", number, "N", "root mean square difference, forward, of m c'' and the plates' force"},
    {"force_z_rms_n", number, "N", "root mean square difference, upward, of m (c'' + g) and the plates' force"},
    {"force_z_unexplained_ratio", number, "-",
     "root mean square error over the standard deviation of the plates' vertical force, where `cop_x_holdout_rms_m` is "
     "taken; null when that force varies by less than 3 % of body weight"},
    {"mass_from_plates_kg", number, "kg", "mean vertical plate force at rest over g"},
    {"mass_disagreement_ratio", number, "-",
     "difference of `mass_from_plates_kg` and the stated mass over the stated mass, without sign"},
    {"plates_carry_body", flag, "-", "the plates carry the whole body for at least 0.5 s"},
    {"plate_coverage_ratio", number, "-", "fraction of the frames in which the plates were recorded"},
    {"marker_distance_change_m", number, "m",
     "upper quartile of the change of distances between markers of one segment, from the static trial or the given "
     "model to this trial"},
    {"outlying_samples", count, "-",
     "marker samples left out: off their marker's path for at most 0.2 s, or more than 100 m away"},
    {"outlying_frames", count, "-", "frames with at least one outlying sample"},
    {"marker_cuts", count, "-", "times at which most markers jump together and stay away"},
    {"rises", count, "-", "number of detected rises from the seat"},
    {"people", count, "-", "people of a people file"},
    {"trials", count, "-", "their trials"},
    {"trials_failed", count, "-", "trials that could not be analysed, or of which a check does not hold"},
    {"five_times_sit_to_stand_s", number, "s",
     "from the start of the first rise until the seat is touched after the fifth; null with fewer rises"},
    {"seat_off_times_s", list, "s", "times of seat-off, from the plates where they show it"},
    {"seat_on_times_s", list, "s", "times of seat contact after a rise, from the same source"},
    {"hands_off_times_s", list, "s",
     "times at which the last hand left its arm rest, of the rises that have one there"},
    {"body_height_m", number, "m", "from sole to vertex of the scaled skeleton, upright"},
    {"label_faults", count, "-", "swapped labels and markers more than 6 cm off, each run of frames once"},
    {"plate_lag_s", number, "s", "delay of the plates after the markers; corrected for"},
    {"com_uncertainty_m", list, "m",
     "standard deviation of the CoM along x, y, z, root mean square over the frames: masses, skin, unseen segments"},
    {"cop_within_two_deviations_ratio", number, "-",
     "fraction of the held-out CoP samples (x and y) whose error is within two of their own standard deviations"},
    {"feet_force_error_ratio", number, "-",
     "root mean square error of the feet's vertical force from the motion alone against the plates, over body weight "
     "(each its own), from 0.1 s before seat-off until seat-on, without rises where plates carry the body; null "
     "without "
     "plates"},
    {"foot_force_error_ratio", number, "-", "the same of each foot; null where one plate carries both"},
    {"feet_cop_error_m", number, "m",
     "root mean square error of the feet's CoP from the motion alone, forward, from seat-off until seat-on, above 0.3 "
     "of body weight"},
    {"seat_share_error_ratio", number, "-",
     "root mean square error of the seat's vertical force from the motion alone over body weight, in the other frames; "
     "null without rises"},
    {"skin_cutoff_hz", number, "Hz",
     "cut-off of the horizontal CoM and of the angular momentum, above which skin markers move more than the mass "
     "does"},
};

constexpr MetricInfo kRetarget[] = {
    {"com_residual_max_m", number, "m", "largest distance of the robot's CoM to its target"},
    {"com_target_shift_max_m", number, "m",
     "largest distance, off the seat, of the planned CoM to the mapped human CoM s c_h + o(t)"},
    {"com_anchor_change_m", number, "m", "change of the offset o(t) from seat-off on"},
    {"infeasible_frames", count, "-", "frames in which an equation or a limit is violated"},
    {"frames", count, "-", "frames of the motion"},
    {"marker_rms_m", number, "m",
     "root mean square distance of the mapped human markers to the robot's, over markers and frames"},
    {"marker_rms_free_m", number, "m", "the same without the CoM constraint"},
    {"zmp_margin_planned_min_m", number, "m",
     "smallest signed distance of the written trajectory's ZMP to the edge of both soles' support, where only feet "
     "bear"},
    {"joint_speed_max_rad_per_s", number, "rad/s", "largest planned joint rate"},
    {"joint_speed_ratio_max", number, "-", "largest planned |q'_i| over joint i's speed limit in the URDF"},
    {"plan_cop_margin_length_min_m", number, "m",
     "smallest signed distance of a foot's CoP to the nearer of heel and toe, positive inside the sole, by the written "
     "wrenches, at and between the samples in which the foot is in contact"},
    {"plan_cop_margin_width_min_m", number, "m", "the same to the nearer of the sole's sides"},
    {"plan_foot_force_min_per_weight", number, "-", "smallest force normal to a sole in contact over m g, likewise"},
    {"plan_support_force_min_per_weight", number, "-",
     "smallest vertical force of a seat or hand in contact over m g; negative: it pulls; null without any"},
    {"plan_friction_ratio_max", number, "-", "largest tangential over normal force of a foot in contact"},
    {"plan_contact_drift_max_m", number, "m",
     "largest distance of a contact's point from its place at the first sample of the contact"},
    {"plan_force_min_per_weight", number, "-", "smallest vertical force of all contacts together over m g"},
    {"plan_force_max_per_weight", number, "-", "largest vertical force of all contacts together over m g"},
    {"plan_torque_ratio_max", number, "-",
     "largest |tau_i| over joint i's limit, by inverse dynamics of the written trajectory under the written wrenches, "
     "at and between the samples"},
    {"plan_range_margin_min_rad", number, "rad",
     "smallest distance of a planned joint position to the nearer limit of its range, negative beyond it"},
    {"plan_jerk_rms_rad_per_s3", number, "rad/s^3",
     "root mean square over joints and intervals of the change of the written joint acceleration from one sample to "
     "the next, over the interval"},
    {"plan_spline_error_max_rad_per_s2", number, "rad/s^2",
     "largest contradiction of a joint's written position, rate and acceleration: mean acceleration between two "
     "samples against the change of the rate, and acceleration at a sample against that of the cubic through positions "
     "and rates; zero for a cubic spline sampled at its knots"},
    {"plan_base_residual_max_n", number, "N",
     "largest force that is missing in the base's rows of the equation of motion under the written wrenches, at the "
     "samples"},
    {"plan_base_residual_max_nm", number, "N m", "the same for the moment about the base's origin"},
    {"plan_between_residual_max_n", number, "N",
     "the force between the samples, where a contact change is at least 20 ms away: motion by the interpolant, "
     "wrenches linear"},
    {"plan_between_residual_max_nm", number, "N m", "the same for the moment"},
    {"plan_change_residual_max_n", number, "N",
     "the force between the samples less than 20 ms from a contact change; null without any"},
    {"plan_change_residual_max_nm", number, "N m", "the same for the moment"},
    {"com_dip_m", number, "m", "largest descent of the planned CoM before it rises"},
    {"plan_com_deviation_max_m", number, "m", "`com_target_shift_max_m` of a plan"},
    {"plan_com_deviation_rms_m", number, "m",
     "root mean square of that distance over all samples; on the seat without the height"},
    {"plan_settled", flag, "-", "whether the solver of the whole motion converged"},
    {"plan_forbidden_by", text, "-",
     "the limit that the plan violates most, by how much and when, and the limits without which it would be feasible; "
     "null when it violates none"},
    {"chair_heights_tried", count, "-", "chairs that `--chair-height auto` tried"},
    {"chair_lower_forbidden_by", text, "-", "what forbids a chair 2 cm lower than the one that it found"},
    {"plan_iterations", count, "-", "steps that the solver of the whole motion took"},
    {"slowdown", number, "-", "duration of the person's motion in the plan over the person's own"},
    {"person_flight_s", number, "s", "longest time of the person without a contact of feet and seat"},
    {"jerk_rms_rad_per_s3", number, "rad/s^3", "root mean square of the planned joints' jerk"},
    {"chair_height_m", number, "m", "height of the robot's chair"},
    {"scale", number, "-", "legs of the robot over legs of the person"},
    {"seat_off_planned_s", number, "s", "time at which the plan leaves the seat"},
    {"hands_off_planned_s", number, "s", "time at which the plan's last hand leaves its arm rest; null without any"},
    {"hand_share_max", number, "-",
     "largest fraction of the contact force that the plan assigns to hands on arm rests"},
    {"trunk_angle_error_rms_rad", number, "rad",
     "root mean square difference of the trunk's pitch (line from mid-hips to mid-shoulders) from the person's"},
    {"leg_angle_error_rms_rad", number, "rad",
     "root mean square difference of hip, knee and ankle flexion, between directions of segments, from the person's"},
    {"arm_angle_error_rms_rad", number, "rad", "the same of shoulder and elbow flexion; null without arms"},
    {"hands_on_persons_side_ratio", number, "-",
     "fraction of samples with a hand on the person's side of the trunk, in front or behind; null without arms"},
    {"trunk_angle_error_seated_rms_rad", number, "rad", "`trunk_angle_error_rms_rad` while the person is on the seat"},
    {"leg_angle_error_seated_rms_rad", number, "rad", "`leg_angle_error_rms_rad` while the person is on the seat"},
    {"arm_angle_error_seated_rms_rad", number, "rad", "`arm_angle_error_rms_rad` while the person is on the seat"},
    {"hands_on_persons_side_seated_ratio", number, "-",
     "`hands_on_persons_side_ratio` while the person is on the seat"},
    {"trunk_angle_error_rising_rms_rad", number, "rad",
     "`trunk_angle_error_rms_rad` while the person is off the seat and not yet upright"},
    {"leg_angle_error_rising_rms_rad", number, "rad",
     "`leg_angle_error_rms_rad` while the person is off the seat and not yet upright"},
    {"arm_angle_error_rising_rms_rad", number, "rad",
     "`arm_angle_error_rms_rad` while the person is off the seat and not yet upright"},
    {"hands_on_persons_side_rising_ratio", number, "-",
     "`hands_on_persons_side_ratio` while the person is off the seat and not yet upright"},
    {"trunk_angle_error_standing_rms_rad", number, "rad",
     "`trunk_angle_error_rms_rad` while the person is upright: its CoM within 5 % of the leg's length of its highest"},
    {"leg_angle_error_standing_rms_rad", number, "rad",
     "`leg_angle_error_rms_rad` while the person is upright: its CoM within 5 % of the leg's length of its highest"},
    {"arm_angle_error_standing_rms_rad", number, "rad",
     "`arm_angle_error_rms_rad` while the person is upright: its CoM within 5 % of the leg's length of its highest"},
    {"hands_on_persons_side_standing_ratio", number, "-",
     "`hands_on_persons_side_ratio` while the person is upright: its CoM within 5 % of the leg's length of its "
     "highest"},
    {"trunk_angle_end_error_rad", number, "rad",
     "|difference| of the trunk's pitch at the end of the plan from the person's at the end of the clip"},
    {"motions", count, "-", "number of motions given, where there were several"},
    {"motions_failed", count, "-", "motions that failed a check or were skipped"},
};

constexpr MetricInfo kSitToStand[] = {
    {"stood_up", flag, "-",
     "at plan end + 2 s: hip within 6 cm of the plan in height and 12 cm forward, sway under 10 mm in the last 0.5 s "
     "(for legs, thigh and shank, of 0.763 m; other robots in proportion), seat force under 1 N"},
    {"sat_down", flag, "-",
     "of a plan that ends on the seat, at plan end + 2 s: hip within 6 cm of the plan in height and forward, sway "
     "under "
     "10 mm in the last 0.5 s (in proportion, as above), mean seat force of that time within 0.1 m g of the planned "
     "one; `stood_up` is null then"},
    {"gave_up_s", number, "s",
     "time at which the controller `inverse_dynamics` gave a rise or sit-down up; null: never"},
    {"gave_up_reason", text, "-", "what asked for it; null: never"},
    {"rise_outcome", text, "-",
     "at plan end + 2 s: `stood_up` (or `sat_down`, where the plan ends on the seat), as planned; `sat_back`: at rest "
     "on the seat, "
     "with 0.3 m g or more on it; `stood_back`: at rest on the feet, without load on the seat; `fell`; else "
     "`unsettled`"},
    {"ended_safely", flag, "-", "`rise_outcome` is neither `fell` nor `unsettled`: at rest, standing or on the seat"},
    {"impact_peak_n", number, "N",
     "of a robot that falls: largest force of the world on it, m |dc/dt^2 + g e_z|, 50 Hz low-pass, in the 1.5 s from "
     "the fall on, in which nothing else is judged; null: it did not fall"},
    {"seat_on_s", number, "s",
     "time of the last touch of the seat, after 0.1 s or more without load on it; null when the plan takes no seat"},
    {"seat_on_planned_s", number, "s", "time at which the plan takes the seat for the last time"},
    {"touch_velocity_m_per_s", number, "m/s",
     "downward speed of the lowest point that sits, in the tick before such a touch; of the fastest one"},
    {"seat_force_peak_ratio", number, "-",
     "largest seat force from the first such touch on, 50 Hz zero-phase low-pass, over the one planned at the end"},
    {"seat_off_s", number, "s", "time at which the seat was left"},
    {"seat_off_planned_s", number, "s", "time at which the plan leaves the seat"},
    {"heel_margin_min_m", number, "m",
     "smallest distance of the CoP to the heels' edge after seat-off; of a plan that ends on the seat, from its start "
     "on, while only the feet bear"},
    {"toe_margin_min_m", number, "m", "smallest distance of the CoP to the toes' edge after seat-off"},
    {"com_x_error_rms_m", number, "m", "root mean square over time of |c_x - c_x*|, forward"},
    {"com_x_error_max_m", number, "m", "largest |c_x - c_x*|, forward"},
    {"com_believed_error_max_m", number, "m",
     "largest horizontal distance of the executed motion's CoM by the masses of plan and controller from the true one; "
     "of robots that name their `cad`"},
    {"com_cad_error_max_m", number, "m", "the same by the masses of the CAD"},
    {"cop_zmp_rms_m", number, "m", "root mean square difference of the measured CoP and the planned ZMP"},
    {"hold_drift_m", number, "m", "distance that the CoM moves while the final posture is held"},
    {"hand_force_max_n", number, "N",
     "largest upward force of arm rests on both hands together from the plan's start on, 20 Hz low-pass; null when the "
     "plan has no hand on one"},
    {"seat_force_error_rms_n", number, "N",
     "root mean square over the plan's duration of the seat's upward force minus the planned one, 20 Hz low-pass; null "
     "when the plan has no wrenches or no seat"},
    {"hand_force_error_rms_n", number, "N",
     "the same of the distance of a hand's force to the planned one, over both hands; null when the plan has no "
     "wrenches or no hand on an arm rest"},
    {"hand_force_peak_ratio", number, "-",
     "`hand_force_max_n` over the largest planned upward force on both hands, same low-pass; null when the plan has no "
     "hand on an arm rest"},
    {"joint_speed_ratio_max", number, "-",
     "largest |q'_i| over joint i's speed limit in the URDF, from the plan's start on"},
    {"torque_saturated_s", number, "s", "time from the plan's start on in which a joint's torque is at its limit"},
    {"torque_jump_ratio_max", number, "-",
     "largest |tau_i(t) - tau_i(t - dt)| of a commanded joint torque over joint i's limit, from the plan's start on"},
    {"torque_jump_slow_ratio_max", number, "-", "the same of the commanded torques after a 50 Hz low-pass"},
    {"torque_jump_ratio_rms", number, "-",
     "root mean square over time of that ratio, without a low-pass; of the joint with the largest"},
    {"foot_force_peak_per_weight", number, "-",
     "largest sum of both feet's normal forces over m g, 50 Hz zero-phase low-pass, from the plan's start on"},
    {"foot_force_jump_max_n", number, "N",
     "largest change in a millisecond of a foot's normal force, same low-pass, without 20 ms before and after a "
     "planned touch and that foot's own touch, or the seat's, after at least 20 ms in the air"},
    {"foot_force_jump_raw_max_n", number, "N",
     "the same without a low-pass: single ticks in which the simulated sole chatters count in full"},
    {"rise_failure", text, "-",
     "first violated margin and its time, or another reason for the failure; null for a successful rise"},
};

constexpr MetricInfo kRepeat[] = {
    {"runs", count, "-", "number of runs"},
    {"success_ratio", number, "-", "runs whose checks all held over runs"},
    {"run_errors", count, "-", "runs that ended with an error message instead of metrics; they count as failed"},
};

constexpr MetricInfo kSearch[] = {
    {"push_limit_n", list, "N", "largest push that still passes, one for each direction of `search`"},
    {"pendulum_limit_n", list, "N",
     "largest push that a linear inverted pendulum on the same support survives, m omega d over the push's duration, "
     "same order"},
    {"push_limit_min_n", number, "N", "smallest of `push_limit_n`; null when one of them is"},
    {"search_limit", list, "-",
     "largest value of `search.key` that still passes, in that key's unit, one for each direction"},
    {"search_limit_min", number, "-", "smallest of `search_limit`; null when one of them is"},
    {"search_failures", count, "-", "directions in which not even `search.low` passes"},
    {"search_unbracketed", count, "-", "directions in which the largest value still passes: the limit may be higher"},
    {"search_runs", count, "-", "number of runs of the search"},
    {"run_errors", count, "-", "runs that ended with an error message instead of metrics; they count as failed"},
};

constexpr MetricInfo kTiming[] = {
    {"control_cycle_us_p50", number, "us", "median of the time that a control tick takes"},
    {"control_cycle_us_p99", number, "us", "99th percentile of the time that a control tick takes"},
    {"control_cycle_us_max", number, "us", "longest control tick"},
    {"control_cycle_us_p999", number, "us", "99.9th percentile of the time from a reading to its command (`control`)"},
    {"cycles_over_period", count, "-", "control ticks that took longer than the control period (`control`)"},
    {"missed_readings", count, "-",
     "readings that the controller did not use, because newer ones were there (`control`)"},
    {"round_trip_us_p50", number, "us", "median of the time from a reading sent to its command received (`serve`)"},
    {"round_trip_us_p99", number, "us", "99th percentile of the same time"},
    {"round_trip_us_p999", number, "us", "99.9th percentile of the same time"},
    {"round_trip_us_max", number, "us", "longest round trip"},
    {"jitter_us_p50", number, "us", "median of how late a control tick began (`serve` and `control`, in real time)"},
    {"jitter_us_p99", number, "us", "99th percentile of the same delay"},
    {"jitter_us_p999", number, "us", "99.9th percentile of the same delay"},
    {"jitter_us_max", number, "us", "longest such delay"},
    {"realtime_factor", number, "-", "simulated time over wall time"},
    {"frames_per_s", number, "1/s", "frames of a motion that were processed per second of wall time"},
    {"wall_s", number, "s", "wall time of the whole run"},
};

constexpr MetricInfo kBatch[] = {
    {"jobs", count, "-", "jobs of the manifest"},
    {"jobs_passed", count, "-", "jobs whose checks held"},
    {"jobs_failed", count, "-", "jobs of which a check failed"},
    {"jobs_not_judged", count, "-", "jobs without checks"},
    {"jobs_with_error", count, "-", "jobs that ended with an error and have no result"},
    {"jobs_not_done", count, "-", "jobs that are not done yet"},
};

constexpr MetricGroup kGroups[] = {
    {"Every simulated run", kEveryRun},
    {"Failsafe", kFailsafe},
    {"Link", kLink},
    {"Base estimate", kEstimate},
    {"Grade", kGrade},
    {"Task priority", kTaskPriority},
    {"Momentum balance", kMomentumBalance},
    {"Partial force", kPartialForce},
    {"Identify", kIdentify},
    {"Demonstrate", kDemonstrate},
    {"Human", kHuman},
    {"Retarget", kRetarget},
    {"Sit to stand", kSitToStand},
    {"Repeats", kRepeat},
    {"Searches", kSearch},
    {"Batch", kBatch},
};

constexpr std::string_view kSuffixes[] = {"_p10", "_p50", "_p90", "_min", "_max", "_mean"};

bool is_among(std::span<const MetricInfo> metrics, std::string_view name) {
  return std::ranges::find(metrics, name, &MetricInfo::name) != metrics.end();
}

const MetricInfo* find_exactly(std::string_view name) {
  for (const MetricGroup& group : kGroups) {
    const auto found = std::ranges::find(group.metrics, name, &MetricInfo::name);
    if (found != group.metrics.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

std::span<const MetricGroup> metric_groups() { return kGroups; }
std::span<const MetricInfo> timing_metrics() { return kTiming; }
std::span<const std::string_view> repeat_suffixes() { return kSuffixes; }

const MetricInfo* find_metric(std::string_view name) {
  if (const MetricInfo* metric = find_exactly(name)) return metric;
  for (const std::string_view suffix : kSuffixes) {
    if (!name.ends_with(suffix)) continue;
    const MetricInfo* metric = find_exactly(name.substr(0, name.size() - suffix.size()));
    if (metric == nullptr) continue;
    if (metric->kind == number || metric->kind == count) return metric;
    if (metric->kind == flag && suffix == "_mean") return metric;
  }
  return nullptr;
}

bool is_repeat_metric(std::string_view name) {
  return is_among(kRepeat, name) || (find_exactly(name) == nullptr && find_metric(name) != nullptr);
}

bool is_search_metric(std::string_view name) { return is_among(kSearch, name); }

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricGroup& group : kGroups) {
    for (const MetricInfo& metric : group.metrics) {
      if (std::ranges::find(names, metric.name) == names.end()) names.emplace_back(metric.name);
    }
  }
  return names;
}

}  // namespace aplomb
