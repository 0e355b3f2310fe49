#pragma once

#include "aplomb/human/human_trial.hpp"
#include "aplomb/pipeline/cache/byte_archive.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_description.hpp"
#include "aplomb/robot/urdf/urdf.hpp"

// Private to pipeline/: all members of what a plan depends on and of the plan itself, in a fixed order. The structured
// bindings name every member: one that is added to a struct and not here does not compile.

namespace aplomb {

// The person.

template <typename Archive>
void members(Archive& archive, Inertia& value) {
  auto& [mass, com, about_com] = value;
  archive(mass, com, about_com);
}
template <typename Archive>
void members(Archive& archive, Coordinate& value) {
  auto& [name, axis, lower, upper, follows, ratio] = value;
  archive(name, axis, lower, upper, follows, ratio);
}
template <typename Archive>
void members(Archive& archive, Segment& value) {
  auto& [name, parent, mirror, joint, generic_joint, scale, coordinates, inertia] = value;
  archive(name, parent, mirror, joint, generic_joint, scale, coordinates, inertia);
}
template <typename Archive>
void members(Archive& archive, Skeleton& value) {
  auto& [size, sex, mass, segments] = value;
  archive(size, sex, mass, segments);
}
template <typename Archive>
void members(Archive& archive, BodyMarker& value) {
  auto& [label, landmark, segment, offset, weight, generic_offset, deviation] = value;
  archive(label, landmark, segment, offset, weight, generic_offset, deviation);
}
template <typename Archive>
void members(Archive& archive, SubjectModel& value) {
  auto& [skeleton, markers] = value;
  archive(skeleton, markers);
}
template <typename Archive>
void members(Archive& archive, HumanMotion& value) {
  auto& [rate_hz, start_s, q] = value;
  archive(rate_hz, start_s, q);
}
template <typename Archive>
void members(Archive& archive, HandContacts& value) {
  auto& [off_s, share, on_s] = value;
  archive(off_s, share, on_s);
}
template <typename Archive>
void members(Archive& archive, RiseTimes& value) {
  auto& [seat_off_s, seat_on_s, hands] = value;
  archive(seat_off_s, seat_on_s, hands);
}
template <typename Archive>
void members(Archive& archive, ContactTime& value) {
  auto& [site, start_s, end_s] = value;
  archive(site, start_s, end_s);
}
template <typename Archive>
void members(Archive& archive, ContactSchedule& value) {
  auto& [contacts] = value;
  archive(contacts);
}
template <typename Archive>
void members(Archive& archive, HumanTrial& value) {
  auto& [name, subject, motion, cutoff_hz, marker_rms, rises, contacts, plates_agree, subject_agrees, is_cut, verdict] =
      value;
  archive(name, subject, motion, cutoff_hz, marker_rms, rises, contacts, plates_agree, subject_agrees, is_cut, verdict);
}

// The robot, without the places of its files.

template <typename Archive>
void members(Archive& archive, Shape& value) {
  auto& [kind, T_link_shape, size, mesh_file] = value;
  archive(kind, T_link_shape, size, mesh_file);
}
template <typename Archive>
void members(Archive& archive, UrdfLink& value) {
  auto& [name, line, inertial_line, inertia, visuals, collisions] = value;
  archive(name, line, inertial_line, inertia, visuals, collisions);
}
template <typename Archive>
void members(Archive& archive, UrdfJoint& value) {
  auto& [name, line, type, parent, child, T_parent_joint, axis, lower, upper, effort, velocity, armature, mimics,
         mimic_offset] = value;
  archive(name, line, type, parent, child, T_parent_joint, axis, lower, upper, effort, velocity, armature, mimics,
          mimic_offset);
}
template <typename Archive>
void members(Archive& archive, Urdf& value) {
  auto& [name, file, links, joints, notes] = value;
  archive(name, links, joints);
}
template <typename Archive>
void members(Archive& archive, Roles& value) {
  auto& [pelvis, trunk, head, foot, hand] = value;
  archive(pelvis, trunk, head, foot, hand);
}
template <typename Archive>
void members(Archive& archive, ExtraFrame& value) {
  auto& [link, T_link_frame] = value;
  archive(link, T_link_frame);
}
template <typename Archive>
void members(Archive& archive, Sole& value) {
  auto& [x_min, x_max, y_min, y_max, z] = value;
  archive(x_min, x_max, y_min, y_max, z);
}
template <typename Archive>
void members(Archive& archive, Actuation& value) {
  auto& [kind, stiffness, damping, armature, default_effort] = value;
  archive(kind, stiffness, damping, armature, default_effort);
}
template <typename Archive>
void members(Archive& archive, RobotDescription& value) {
  auto& [name, about, file, urdf, cad, roles, frames, soles, postures, actuation, load_cells, inertia] = value;
  archive(name, cad, roles, frames, soles, postures, actuation, load_cells, inertia);
}

// What is asked for.

template <typename Archive>
void members(Archive& archive, RetargetOptions& value) {
  auto& [chair_height, links, mode, rise, clip, has_arm_rests, finds_obstacle] = value;
  archive(chair_height, links, mode, rise, clip, has_arm_rests, finds_obstacle);
}
template <typename Archive>
void members(Archive& archive, PostureExperiment& value) {
  auto& [postures, is_spatial, seed, cop_noise_m, force_noise_n, joint_noise_rad, joint_zero_rad, foot_moment_offset_nm,
         edge_margin_m, measures_torques, torque_noise_nm] = value;
  archive(postures, is_spatial, seed, cop_noise_m, force_noise_n, joint_noise_rad, joint_zero_rad,
          foot_moment_offset_nm, edge_margin_m, measures_torques, torque_noise_nm);
}

// The plan.

template <typename Archive>
void members(Archive& archive, Trajectory::ContactWrenches& value) {
  auto& [site, wrench] = value;
  archive(site, wrench);
}
template <typename Archive>
void members(Archive& archive, Trajectory& value) {
  auto& [robot, robot_sha256, joints, rate_hz, start_s, q, v, a, com, com_velocity, com_acceleration, zmp, force,
         com_person, seat_share, hand_share, torque, wrenches] = value;
  archive(robot, robot_sha256, joints, rate_hz, start_s, q, v, a, com, com_velocity, com_acceleration, zmp, force,
          com_person, seat_share, hand_share, torque, wrenches);
}
template <typename Archive>
void members(Archive& archive, ContactPlan::Contact& value) {
  auto& [site, link, point, start_s, end_s] = value;
  archive(site, link, point, start_s, end_s);
}
template <typename Archive>
void members(Archive& archive, ContactPlan& value) {
  auto& [contacts, chair_height_m] = value;
  archive(contacts, chair_height_m);
}
template <typename Archive>
void members(Archive& archive, ActiveLimit& value) {
  auto& [kind, joint] = value;
  archive(kind, joint);
}
template <typename Archive>
void members(Archive& archive, FrameVerdict& value) {
  auto& [is_feasible, limits, com_residual, marker_rms] = value;
  archive(is_feasible, limits, com_residual, marker_rms);
}
template <typename Archive>
void members(Archive& archive, RiseFrames& value) {
  auto& [overlay, onset, seat_off, stand, hand_off] = value;
  archive(overlay, onset, seat_off, stand, hand_off);
}
template <typename Archive>
void members(Archive& archive, KeyFrame& value) {
  auto& [kind, first, last] = value;
  archive(kind, first, last);
}
template <typename Archive>
void members(Archive& archive, ContactInterval& value) {
  auto& [site, begin, end] = value;
  archive(site, begin, end);
}
template <typename Archive>
void members(Archive& archive, HumanPath& value) {
  auto& [rate_hz, start_s, kind, rise, keys, contacts, labels, segments, markers, com, feet, flight_s, ankles,
         leg_length, heel_x, toe_x, wrists, hand_share] = value;
  archive(rate_hz, start_s, kind, rise, keys, contacts, labels, segments, markers, com, feet, flight_s, ankles,
          leg_length, heel_x, toe_x, wrists, hand_share);
}
template <typename Archive>
void members(Archive& archive, LinkMap::Entry& value) {
  auto& [segment, link, body, is_given] = value;
  archive(segment, link, body, is_given);
}
template <typename Archive>
void members(Archive& archive, LinkMap& value) {
  auto& [entries] = value;
  archive(entries);
}
template <typename Archive>
void members(Archive& archive, RobotMarker& value) {
  auto& [body, offset, weight] = value;
  archive(body, offset, weight);
}
template <typename Archive>
void members(Archive& archive, Overlay& value) {
  auto& [scale, human_ankles, robot_ankles, markers, sources, left_out, shift] = value;
  archive(scale, human_ankles, robot_ankles, markers, sources, left_out, shift);
}
template <typename Archive>
void members(Archive& archive, ComMap::Anchor& value) {
  auto& [key, com, offset, height] = value;
  archive(key, com, offset, height);
}
template <typename Archive>
void members(Archive& archive, ComMap& value) {
  auto& [scale, anchors, stance_shift] = value;
  archive(scale, anchors, stance_shift);
}
template <typename Archive>
void members(Archive& archive, RobotState& value) {
  auto& [q, v] = value;
  archive(q, v);
}
template <typename Archive>
void members(Archive& archive, RestingHand& value) {
  auto& [side, body, offset, place] = value;
  archive(side, body, offset, place);
}
template <typename Archive>
void members(Archive& archive, SeatedRobot& value) {
  auto& [state, chair_height, clearance, is_measured, notes, hands] = value;
  archive(state, chair_height, clearance, is_measured, notes, hands);
}
template <typename Archive>
void members(Archive& archive, Likeness::Errors& value) {
  auto& [num_samples, trunk_rms, leg_rms, arm_rms, hands_side_ratio] = value;
  archive(num_samples, trunk_rms, leg_rms, arm_rms, hands_side_ratio);
}
template <typename Archive>
void members(Archive& archive, Likeness& value) {
  auto& [whole, seated, rising, standing, trunk_end, trunk_error] = value;
  archive(whole, seated, rising, standing, trunk_end, trunk_error);
}
template <typename Archive>
void members(Archive& archive, ViolatedPlanLimit& value) {
  auto& [limit, amount, start_s, end_s, worst_s] = value;
  archive(limit, amount, start_s, end_s, worst_s);
}
template <typename Archive>
void members(Archive& archive, Retargeted::Obstacle& value) {
  auto& [limits, is_all] = value;
  archive(limits, is_all);
}
template <typename Archive>
void members(Archive& archive, Retargeted& value) {
  auto& [mode, trajectory, contacts, frames, violated, obstacle, human, links, overlay, com_map, seated, com_mapped,
         com_asked, likeness, notes, com_residual_max, com_target_shift_max, com_target_shift_rms, com_anchor_change,
         marker_rms, marker_rms_free, zmp_margin_min, cop_margin_needed, slowdown, joint_speed_max,
         joint_speed_ratio_max, com_dip, leg_length, jerk_rms, infeasible_frames, solver_iterations, is_settled] =
      value;
  archive(mode, trajectory, contacts, frames, violated, obstacle, human, links, overlay, com_map, seated, com_mapped,
          com_asked, likeness, notes, com_residual_max, com_target_shift_max, com_target_shift_rms, com_anchor_change,
          marker_rms, marker_rms_free, zmp_margin_min, cop_margin_needed, slowdown, joint_speed_max,
          joint_speed_ratio_max, com_dip, leg_length, jerk_rms, infeasible_frames, solver_iterations, is_settled);
}

}  // namespace aplomb
