#pragma once

#include <filesystem>
#include <string>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/human/plate_judgement.hpp"
#include "aplomb/recording/mot_file.hpp"

namespace aplomb {

/// Coordinates over time in OpenSim's form: pelvis_tx, _ty, _tz [m], pelvis_rotation, _tilt, _list [degrees] with
/// R = R_z(rotation) R_y(tilt) R_x(list), then one column per joint [degrees].
MotFile angles_table(const HumanMotion& motion, const RobotModel& robot);
/// The reverse; errors name `source`. Throws UnknownName for a missing column, FileError for times that are not even,
/// blank cells and a pelvis that jumps.
HumanMotion motion_of(const MotFile& angles, const RobotModel& robot, const std::string& source = "angles.mot");

MotFile moments_table(const HumanMotion& motion, const JointMoments& moments);

/// Forces of feet and seat in OpenSim's form and axes (y up: x, z, −y of the motion's frame): NAME_force_vx … [N],
/// NAME_force_px … [m], NAME_torque_x … [N m].
MotFile reactions_table(const HumanMotion& motion, const ReactionForces& reactions);

/// Writes subject.yaml, human.urdf, human.osim, angles.mot, contacts.yaml and trial.yaml into an existing folder;
/// reading back gives the same trial up to the rounding of degrees. A folder without contacts.yaml is read too: its
/// contacts are found in the motion and the rises. Throws FileError.
void write_trial(const HumanTrial& trial, const std::filesystem::path& folder);
HumanTrial read_trial(const std::filesystem::path& folder);

}  // namespace aplomb
