#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/human/analyse.hpp"

namespace aplomb {

/// Conditions on the metrics of a trial, each with its reason. Without force plates nothing confirms the centre of
/// mass: then there are only those that fail, so that such a trial is not judged, or fails, and never passes.
std::vector<Check> trial_checks(const TrialAnalysis& analysis);

}  // namespace aplomb
