#pragma once

#include <span>
#include <string>

#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Adds the plots of a controller's signals (RunOutput::signals) to the report of its run. The controllers of this
/// library are recognised by their signals; those of any other controller are drawn in one plot per unit.
void add_controller_plots(std::span<const std::string> signals, ReportPage& page);

}  // namespace aplomb
