#pragma once

#include <memory>

#include "aplomb/control/failsafe/failsafe.hpp"
#include "aplomb/run/run.hpp"

namespace aplomb {

/// The failsafe ladder around a run's controller, nullptr when the run has none. `setup` and `controller` must outlive
/// it.
std::unique_ptr<Failsafe> make_failsafe(const RunSetup& setup, Controller& controller);

}  // namespace aplomb
