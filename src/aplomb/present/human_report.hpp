#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Result, log and report of a trial.
struct HumanOutput {
  Result result;
  Log log;
  ReportPage page;
};

/// Metrics; plots of CoM, CoP and forces over time and the paper's figure (computed and measured CoP, CoM path in the
/// sagittal plane); errors per marker. `built`: how the subject was scaled; nullptr for a given model.
HumanOutput describe(const TrialAnalysis& analysis, const SubjectOutcome* built);

}  // namespace aplomb
