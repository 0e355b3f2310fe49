#pragma once

#include "aplomb/core/plot.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"

namespace aplomb {

PageTable plates_table(const MassAdjustment& adjustment);  ///< before and after: RMS, p95, largest
PageTable rises_table(const PlateJudgement& judgement);
PageTable marker_table(const MarkerErrors& errors);
PageTable fault_table(const TrialAnalysis& analysis);
PageTable size_table(const Skeleton& skeleton);
PageTable unknown_table(const std::vector<UnknownLabel>& unknown);

}  // namespace aplomb
