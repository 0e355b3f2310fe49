#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/motion/plan_audit.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {

inline constexpr int kAuditPointsBetween = 3;  ///< instants between two samples at which a plan is audited

/// Metrics of a retargeted motion (docs/metrics.md, "Retarget"), with those of its audit and of its likeness.
Metrics retarget_metrics(const Retargeted& retargeted, const PlanAudit& audit);

}  // namespace aplomb
