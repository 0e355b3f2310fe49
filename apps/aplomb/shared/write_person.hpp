#pragma once

#include <filesystem>

#include "aplomb/present/human_report.hpp"

namespace aplomb {

/// Writes the result of one trial as `aplomb human` leaves it, for `aplomb retarget` and `--model`. Makes the folder.
void write_person(const TrialAnalysis& analysis, const HumanOutput& output, const std::filesystem::path& folder);

}  // namespace aplomb
