#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "aplomb/core/files/output_folder.hpp"
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

/// Calls `write` with the folder's temporary path. An error (a full disk) names `out`, the folder that the user gave.
void write_into(const OutputFolder& folder, const std::string& out,
                const std::function<void(const std::filesystem::path&)>& write);

}  // namespace aplomb
