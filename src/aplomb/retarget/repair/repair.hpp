#pragma once

#include <string>
#include <vector>

#include "aplomb/motion/formats/robot_motion.hpp"
#include "aplomb/motion/grade/foot_tracks.hpp"

namespace aplomb {

/// A motion made feasible, and what was done to it.
struct RepairedMotion {
  RobotMotion motion;
  std::vector<std::string> changes;   ///< what was changed beyond the least change of posture, and why
  std::vector<std::string> unmended;  ///< what this repair cannot mend
  double body_change_mean_m = 0.0;    ///< mean over frames and bodies of the distance that a body was moved
  double body_change_max_m = 0.0;
  int iterations = 0;
};

/// The motion of least change that keeps the feet still on the floor (level, z = 0) while they stand, the ZMP within
/// the soles on the floor, friction, and the ranges and speeds of the joints. Feet stand where the rule of the grade
/// finds them standing. The base, the joints that carry a foot, and those that carry a tenth of the mass move; the
/// others are changed only to keep their limits. Throws InvalidValue.
RepairedMotion repair_motion(const RobotModel& robot, const RobotMotion& motion, const StanceRule& rule = {});

}  // namespace aplomb
