#pragma once

#include <filesystem>

#include "aplomb/core/table/log.hpp"
#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// A trajectory as a table: time_s, base_x_m … base_qw, then JOINT_rad, JOINT_rad_per_s and JOINT_rad_per_s2 of every
/// joint, the base's twist and its derivative, the CoM with its derivatives, ZMP, force, the fraction carried by the
/// seat and, where known, the demonstrator's CoM, the torque JOINT_nm of every joint and the wrench of every contact
/// (SITE_force_x_n … SITE_moment_z_nm, world axes, about the contact's point).
Log trajectory_log(const Trajectory& plan);

/// Writes a plan: trajectory.csv, trajectory.npz and contacts.yaml into a folder that exists. Throws FileError.
void write_plan(const MotionPlan& plan, const std::filesystem::path& folder);

/// Reads trajectory.csv and contacts.yaml of a folder. Throws FileError, with line and column, on anything that
/// write_plan would not have written.
MotionPlan read_plan(const std::filesystem::path& folder);

}  // namespace aplomb
