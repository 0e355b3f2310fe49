#pragma once

#include <optional>
#include <string>

namespace aplomb {

/// Options of `aplomb run` that say where the result goes and how it is printed.
struct ShowOptions {
  std::string verb = "run";
  std::optional<std::string> out;  ///< result folder; without one nothing is written
  std::string log_formats = "csv,npz";
  bool json = false;
};

}  // namespace aplomb
