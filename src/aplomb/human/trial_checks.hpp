#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/human/analyse.hpp"

namespace aplomb {

/// Root mean square distance of model and measured markers beyond which the markers are not those of the model's body
/// [m]: another subject's, labels with left and right exchanged, a mirrored laboratory. Own ones leave 0.4 to 1 cm.
constexpr double kMarkerLimit = 0.035;

/// Conditions on the metrics of a trial, each with its reason. Without force plates nothing confirms the centre of
/// mass: then there are only those that fail, so that such a trial is not judged, or fails, and never passes.
std::vector<Check> trial_checks(const TrialAnalysis& analysis);

}  // namespace aplomb
