#pragma once

#include <optional>
#include <string>

namespace aplomb {

/// Loads a shared library with controllers of the user's own and calls its `extern "C" void
/// aplomb_register_controllers()`, which registers them (control/controller_registry.hpp); call it before a scenario is
/// read. Returns a YAML comment with the library's checksum, for the scenario's text; empty without a library. Throws
/// InvalidValue, FileError.
std::string load_plugin(const std::optional<std::string>& library);

inline constexpr const char* kPluginAbout = "your controllers (docs/compare.md); the library's code is run";

}  // namespace aplomb
