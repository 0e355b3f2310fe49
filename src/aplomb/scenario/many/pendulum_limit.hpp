#pragma once

#include <vector>

#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Largest constant push that a robot could withstand without using angular momentum, for each direction of the
/// scenario's search: after the push, the capture point of the linear inverted pendulum is at the edge of the support,
///   F = m ω d / duration,   d: distance from the CoM to that edge along the push.
/// The duration is that of the scenario's first push. NaN where the CoM is not above the support. [N]
std::vector<double> pendulum_limits(const Scenario& scenario);

}  // namespace aplomb
