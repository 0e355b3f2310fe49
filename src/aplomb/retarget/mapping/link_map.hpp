#pragma once

#include <map>
#include <string>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Maps segments to links, from the robot's limbs and the user's choice `given`: segment -> link, "none" to leave its
/// markers out. Throws UnknownName on an unknown segment or link.
LinkMap make_link_map(const Skeleton& skeleton, const RobotModel& robot, const Limbs& limbs,
                      const std::map<std::string, std::string>& given);

}  // namespace aplomb
