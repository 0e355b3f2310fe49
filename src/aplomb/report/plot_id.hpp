#pragma once

#include <string>

#include "aplomb/core/plot.hpp"

namespace aplomb {

/// The name by which programs and `aplomb view --figure` choose a plot: its `id`, else its title in lower case with
/// underscores, as `centre_of_mass_forward`.
std::string plot_id(const LinePlot& plot);
std::string plot_id(const PlanePlot& plot);

}  // namespace aplomb
