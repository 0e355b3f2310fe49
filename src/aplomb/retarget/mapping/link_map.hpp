#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Which of the robot's bodies moves as which segment of the person: made from the limbs, changed by the user.
struct LinkMap {
  struct Entry {
    std::string segment;  ///< of the skeleton
    std::string link;     ///< of the robot; empty: the segment's markers are left out
    int body = -1;
    bool is_given = false;  ///< by the user
  };
  std::vector<Entry> entries;  ///< one a segment, in the skeleton's order

  const Entry& of(int segment) const { return entries[static_cast<std::size_t>(segment)]; }
};

/// `given`: segment -> link, "none" to leave its markers out. Throws UnknownName on a segment or link that is not
/// there.
LinkMap make_link_map(const Skeleton& skeleton, const RobotModel& robot, const Limbs& limbs,
                      const std::map<std::string, std::string>& given);

/// Reads a YAML file of lines `SEGMENT: LINK` (or `SEGMENT: none`). Throws FileError.
std::map<std::string, std::string> read_link_map(const std::filesystem::path& file);

}  // namespace aplomb
