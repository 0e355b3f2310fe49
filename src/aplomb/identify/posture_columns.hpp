#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/table/table_file.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// Where each quantity stands in a posture file. Columns count from 0.
struct PostureColumns {
  std::optional<std::size_t> posture;
  std::vector<std::optional<std::size_t>> angle, rate, acceleration;  ///< by joint
  std::vector<std::size_t> torque;                                    ///< by Sensors::torque_joints
  std::optional<std::array<std::size_t, 4>> quaternion;               ///< x, y, z, w
  /// Of the base, in its own axes, for moving data: angular velocity, origin's acceleration, angular acceleration.
  std::optional<std::array<std::size_t, 9>> base_motion;
  std::vector<std::array<std::size_t, 6>> contacts;  ///< by sensor; a CoP has three
  Sensors sensors;
};

/// Finds the columns by name. Throws FileError on one that is missing, UnknownName on one that nobody knows.
PostureColumns find_columns(const TableFile& file, const RobotModel& robot, const ReadOptions& options);

std::string angle_column(const Joint& joint);         ///< "left_knee_rad"; `_m` for a prismatic joint
std::string rate_column(const Joint& joint);          ///< "left_knee_rad_per_s"
std::string acceleration_column(const Joint& joint);  ///< "left_knee_rad_per_s2"
std::string torque_column(const Joint& joint);        ///< "left_knee_nm"; `_n` for a prismatic joint

}  // namespace aplomb
