#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/table/table_file.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// Column index of each quantity of a posture file, from 0.
struct PostureColumns {
  std::optional<std::size_t> posture;
  std::vector<std::optional<std::size_t>> angle, rate, acceleration;  ///< by joint
  std::vector<std::size_t> torque;                                    ///< by Sensors::torque_joints
  std::optional<std::array<std::size_t, 4>> quaternion;               ///< x, y, z, w
  /// Motion of the base in its own axes, for moving data: angular velocity, acceleration of the origin, angular
  /// acceleration.
  std::optional<std::array<std::size_t, 9>> base_motion;
  std::vector<std::array<std::size_t, 6>> contacts;  ///< by sensor; a CoP uses the first three
  Sensors sensors;
};

/// Finds the columns by name. Throws FileError on a missing or an unknown one.
PostureColumns find_columns(const TableFile& file, const RobotModel& robot, const ReadOptions& options);

}  // namespace aplomb
