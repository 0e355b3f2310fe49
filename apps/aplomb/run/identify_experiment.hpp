#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/pipeline/measure_postures.hpp"

namespace aplomb {

/// An identification in simulation, described by a file of `scenarios/identify/`: postures are measured and written to
/// a posture file; the estimate uses that file and the CAD model only. The true masses serve to evaluate it.
struct IdentifyExperiment {
  std::string name, about, robot;
  PostureExperiment example;
  std::vector<Check> checks;
  std::string text;  ///< text of the YAML
};

/// The file of such an experiment: a name of `scenarios/identify/`, or a YAML file that has the key `identify`.
std::optional<std::filesystem::path> experiment_file(const std::string& name_or_path);
std::vector<std::string> experiment_names();

IdentifyExperiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}  // namespace aplomb
