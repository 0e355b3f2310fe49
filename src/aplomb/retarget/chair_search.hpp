#pragma once

#include <string>
#include <vector>

#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

/// The lowest chair from which a robot can follow a person's motion, and how it was found.
struct ChairSearch {
  struct Height {
    double height_m = 0.0;
    bool is_feasible = false;  ///< every check of the plan holds
    std::string reason;        ///< why not: the limit, or the check that fails
  };
  std::vector<Height> tried;    ///< the highest first
  bool is_found = false;        ///< false: no chair on which the robot can sit will do
  Retargeted plan;              ///< from the lowest chair; from the robot's usual one where none is found
  std::string forbidden_lower;  ///< what forbids a chair that is kChairGap lower
};

inline constexpr double kChairStep = 0.01;  ///< [m] resolution of the search
inline constexpr double kChairGap = 0.02;   ///< [m] so much below the lowest chair it was tried, too, and is infeasible

/// Plans the motion from chairs of different heights: from the robot's usual one (RetargetOptions without a height) in
/// growing strides down to one that is infeasible, or up to one that is feasible; then by bisection. Some ten plans.
/// `options.chair_height` is not used. Throws InvalidValue as retarget() does.
ChairSearch find_lowest_chair(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options);

}  // namespace aplomb
