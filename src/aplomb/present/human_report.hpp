#pragma once

#include "aplomb/core/plot.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/analyse.hpp"

namespace aplomb {

/// What `aplomb human` leaves of a trial.
struct HumanOutput {
  Result result;
  Log log;
  ReportPage page;
};

/// Metrics, CoM, CoP and forces over time, the paper's picture (simulated and measured CoP, CoM path in the sagittal
/// plane), errors by marker. `built` says how the subject's size was found; nullptr when it was given.
HumanOutput describe(const TrialAnalysis& analysis, const SubjectOutcome* built);

}  // namespace aplomb
