#pragma once

#include <filesystem>

#include "aplomb/core/plot.hpp"
#include "aplomb/present/identify_report.hpp"

namespace aplomb {

/// Throws InvalidValue when a robot lacks what standing postures need: two feet with soles, a half-sitting posture.
void require_standing(const RobotModel& robot);

/// identified.urdf with its YAML (so that `robot_model: identified.urdf` works in a scenario), metrics, log, report.
void write_identified(const IdentifyOutput& output, const RobotModel& cad, const std::map<int, Inertia>& body_inertias,
                      const std::filesystem::path& folder);

/// Postures to measure next, with what they would gain over random ones.
PageTable next_table(const RobotModel& cad, const PostureSet& set, const Identification& found,
                     const IdentifyOptions& options, int count);

}  // namespace aplomb
