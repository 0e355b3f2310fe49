#pragma once

#include <span>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/step/stepping.hpp"

namespace aplomb {

/// Names of the values that a controller with steps logs every tick, in the order of `write_step_signals`.
std::vector<Signal> step_signals();
/// Writes them; `signals` has as many as `step_signals`. Never allocates.
void write_step_signals(const Stepping& stepping, std::span<Signal> signals);
/// Number, lengths and times of the steps of a run.
Metrics step_metrics(const Stepping& stepping);
/// One sentence for each step: when, which foot, why, where to, how long.
std::vector<std::string> step_notes(const Stepping& stepping);

}  // namespace aplomb
