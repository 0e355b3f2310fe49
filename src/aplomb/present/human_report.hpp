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

/// Metrics, CoM, CoP and forces over time, the paper's picture (simulated and measured CoP, CoM path in the sagittal
/// plane), errors by marker. `built` has how the subject's size was estimated; nullptr for a given model.
HumanOutput describe(const TrialAnalysis& analysis, const SubjectOutcome* built);

}  // namespace aplomb
