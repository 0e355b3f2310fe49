#pragma once

#include <vector>

#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// The largest constant push that a robot without angular momentum could take, for each direction of the scenario's
/// search: that of a linear inverted pendulum whose capture point, after the push's impulse, is at the edge of the
/// support, F = m ω d / duration, d the distance of the CoM to that edge along the push. Of the scenario's first push.
/// Not a number where the CoM is not above the support.
std::vector<double> pendulum_limits(const Scenario& scenario);

}  // namespace aplomb
