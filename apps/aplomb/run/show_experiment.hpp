#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "run/identify_experiment.hpp"
#include "run/show_options.hpp"

namespace aplomb {

/// Runs an identification in simulation once, or `repeat` times with different seeds; prints the result, writes the
/// folder and returns the exit code.
int show_experiment(const IdentifyExperiment& experiment, std::optional<std::int64_t> repeat, std::size_t jobs,
                    const ShowOptions& options);

}  // namespace aplomb
