#pragma once

#include <optional>
#include <string>

#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

struct ShowOptions {
  std::string verb = "run";
  std::optional<std::string> out;  ///< result folder; without one nothing is written
  std::string log_formats = "csv,npz";
  bool json = false;
};

/// Runs a scenario with a progress bar, writes its folder, prints its result; returns the exit code.
int show_run(const Scenario& scenario, const ShowOptions& options);

}  // namespace aplomb
