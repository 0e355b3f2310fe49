#pragma once

#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/table.hpp"

namespace aplomb {

/// Plates from the ground forces in a table [N, m, N m], which must outlive them: columns `ground_force_1_vx ... _px
/// ... _mx`, `1_ground_force_vx` with `1_ground_torque_x`, or vectors `f1 p1 m1`. `R_lab_file` rotates from the file's
/// axes to the lab.
ForcePlates plates_of(const Table& table, std::size_t time, const Eigen::Matrix3d& R_lab_file,
                      const PlateOptions& options);

/// Votes from the forces' direction: ground reactions point up.
std::vector<AxisVote> force_votes(const Table& table);

}  // namespace aplomb
