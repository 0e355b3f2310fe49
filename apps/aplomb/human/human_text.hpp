#pragma once

#include <string>
#include <vector>

#include "aplomb/present/human_report.hpp"

namespace aplomb {

/// Text that `aplomb human` prints: summary and tables of one trial, or one row per trial.
std::string human_text(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs);

/// One row per trial, for the report of several.
PageTable trials_table(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs);

}  // namespace aplomb
