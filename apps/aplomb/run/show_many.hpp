#pragma once

#include <cstddef>
#include <cstdint>

#include "aplomb/scenario/scenario.hpp"
#include "run/show_options.hpp"

namespace aplomb {

/// Runs a scenario `runs` times, or searches for its limit, on `jobs` cores: shows a progress bar, stores
/// finished runs in `DIR.partial` until the folder is written, and prints the result. Returns the exit code.
int show_repeat(const Scenario& scenario, std::int64_t runs, std::size_t jobs, const ShowOptions& options);
int show_search(const Scenario& scenario, std::size_t jobs, const ShowOptions& options);

}  // namespace aplomb
