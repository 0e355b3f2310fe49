#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <vector>

#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Where a sole of the robot stands, one place after the other, and how it moves between them. The first place is that
/// of the robot's own stance in the overlay frame; from there it follows the scaled displacement of the person's sole,
/// so that steps are as long as the person's for the robot's legs. Poses have their origin at the sole's centre.
struct FootPath {
  std::vector<Eigen::Isometry3d> places;
  std::vector<Eigen::Index> place;      ///< by frame: index of where it stands, or, in the air, of the nearest in time
  std::vector<char> is_on;              ///< by frame: on the floor
  std::vector<Eigen::Isometry3d> pose;  ///< by frame; in the air the person's, blended from one place to the next
  Eigen::Matrix3Xd moved;               ///< by frame: displacement of the place, blended while in the air [m]
  Eigen::Matrix2Xd off;                 ///< by frame: place less the mapped place of the person's sole, likewise [m]

  const Eigen::Isometry3d& place_at(Eigen::Index frame) const {
    return places[static_cast<std::size_t>(place[static_cast<std::size_t>(frame)])];
  }
  bool stays() const { return places.size() == 1 && std::ranges::find(is_on, 0) == is_on.end(); }
};

/// Paths of the left and the right sole. `tree`: the robot in the overlay frame.
std::array<FootPath, 2> foot_paths(const HumanPath& human, const RobotModel& robot, const TreeKinematics& tree,
                                   const Overlay& overlay);

/// Shift of the CoM's reference that puts it between the robot's feet where the person's is between the person's: a
/// robot's stance is as wide as its own hips, and a CoM over one foot of the person must be over that of the robot.
///   (λ − ½) (d_left − d_right),   d = place of the robot's sole − mapped place of the person's,
/// with λ the CoM's place on the line from right to left sole, 0 to 1. Empty when both feet stay where they are.
Eigen::Matrix2Xd stance_shift(const HumanPath& human, const std::array<FootPath, 2>& feet);

}  // namespace aplomb
