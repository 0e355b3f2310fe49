#pragma once

#include <filesystem>

#include "aplomb/present/retarget_report.hpp"

namespace aplomb {

/// Writes a planned motion and its report as `aplomb retarget` leaves them, for `reference.trajectory` of a scenario.
void write_planned(const RetargetOutput& output, const Retargeted& planned, const std::filesystem::path& folder);

}  // namespace aplomb
