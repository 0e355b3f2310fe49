#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string>
#include <vector>

#include "aplomb/motion/grade/foot_tracks.hpp"

namespace aplomb {

/// A foot on the floor from one frame to another.
struct FootStance {
  int side = 0;
  Eigen::Index begin = 0, end = 0;                  ///< frames [begin, end)
  Eigen::Vector2d place = Eigen::Vector2d::Zero();  ///< of the sole's centre [m]
  double heading = 0.0;                             ///< [rad]
  bool pivots = false;                              ///< the sole turns about its normal while it stands

  Eigen::Isometry3d T_world_sole() const;  ///< level on the floor, z = 0
};

/// When and where the feet stand, found from a motion.
struct StancePlan {
  std::vector<FootStance> stances;     ///< by side, then by time
  std::array<std::vector<int>, 2> at;  ///< by side and frame: index of the stance, −1 in the air
  std::vector<std::pair<Eigen::Index, Eigen::Index>> flights;  ///< frames without a foot on the floor
};

/// Stances by the rule of the grade, on the soles' mean places. Stances of one foot that only a short, small movement
/// separates are one. In a gap without a foot on the floor in which the robot does not fall freely (`needs_floor`, by
/// frame) the foot that left stands longer and the foot that lands stands earlier, where they have to move least.
StancePlan plan_stances(const std::array<FootTrack, 2>& feet, const std::vector<char>& needs_floor, double rate_hz,
                        const StanceRule& rule);

}  // namespace aplomb
