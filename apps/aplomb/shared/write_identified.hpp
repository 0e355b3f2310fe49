#pragma once

#include <filesystem>

#include "aplomb/present/identify_report.hpp"

namespace aplomb {

/// Throws InvalidValue when a robot lacks what standing postures need: two feet with soles, a half-sitting posture.
void require_standing(const RobotModel& robot);

/// Writes identified.urdf with its YAML (for `robot_model: identified.urdf` in a scenario), metrics, log and report.
void write_identified(const IdentifyOutput& output, const RobotModel& cad, const std::map<int, Inertia>& body_inertias,
                      const std::filesystem::path& folder);

}  // namespace aplomb
