#pragma once

#include <optional>

#include "aplomb/core/result.hpp"
#include "aplomb/present/identify_report.hpp"
#include "rise/rise_results.hpp"

namespace aplomb {

/// Metrics and checks of all steps of `aplomb rise`: those of the run under their own names, those of person, plan and
/// identification with the verb of that step before them: `human_`, `retarget_`, `identify_`.
Result result_of(const RiseResults& rise, const std::optional<IdentifyOutput>& identified);

/// Each step with its main figures, and whether its checks hold.
PageTable summary_of(const RiseResults& rise, const std::optional<IdentifyOutput>& identified);

}  // namespace aplomb
