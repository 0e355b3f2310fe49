#pragma once

#include <filesystem>

#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {

/// Prints what a YAML file is that belongs to the results or the options of another verb (subject.yaml, trial.yaml,
/// contacts.yaml, a marker set, a map of segments to links), after reading it as that verb would. False: none of them.
bool diagnose_own_yaml(const std::filesystem::path& file, const YamlNode& root);

/// Prints what a table is that `aplomb` writes: postures for `identify`, a planned trajectory, the log of a run; CSV or
/// NPZ. False: none of them.
bool diagnose_own_table(const std::filesystem::path& file);

}  // namespace aplomb
