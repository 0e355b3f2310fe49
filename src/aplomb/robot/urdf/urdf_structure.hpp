#pragma once

#include <vector>

#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// Tree of the links of a URDF; links and joints by their index in Urdf.
struct UrdfStructure {
  int root = 0;
  std::vector<std::vector<int>> joints_below;  ///< child joints of each link, in the file's order
  std::vector<int> child;                      ///< child link of each joint
};

/// Finds the tree. Throws FileError unless the names are unique and known and the links form one tree.
UrdfStructure find_structure(const Urdf& urdf);

/// Notes joints without limits, and those that cannot move or that nothing drives.
void note_limits(Urdf& urdf);

}  // namespace aplomb
