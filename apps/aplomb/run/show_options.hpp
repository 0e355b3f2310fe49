#pragma once

#include <optional>
#include <string>

namespace aplomb {

/// Output options of `aplomb run`.
struct ShowOptions {
  std::string verb = "run";
  std::optional<std::string> out;  ///< result folder; without one nothing is written
  std::string log_formats = "csv,npz";
  bool json = false;
  bool is_live = false;  ///< a page follows the simulation
};

}  // namespace aplomb
