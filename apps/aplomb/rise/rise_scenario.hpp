#pragma once

#include <filesystem>
#include <string>

#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// A rise of one's own as a scenario.
struct OwnRise {
  std::string name, about;
  std::string robot, robot_model;  ///< as RisePlanner::Task has them
  PlanRequest plan;
  Chair chair;
  double duration_s = 0.0;

  std::string yaml() const;
};

/// Relative paths count from the current folder.
Scenario to_scenario(const OwnRise& rise);

/// The path of a file, or a robot's name, as a file of `folder` names it: relative to that folder.
std::string as_named_in(const std::filesystem::path& folder, const std::string& name_or_path);

}  // namespace aplomb
