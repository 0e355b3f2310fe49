#pragma once

#include <string>
#include <vector>

#include "human/people_report.hpp"

namespace aplomb {

/// The trials of one call, in their order.
std::vector<TrialOfPerson> trials_of(const std::vector<TrialAnalysis>& analyses,
                                     const std::vector<HumanOutput>& outputs);

/// What `aplomb human` prints: the figures of one trial, or a table with a row for each of several.
std::string human_text(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs);

}  // namespace aplomb
