#pragma once

#include "aplomb/recording/checks/force_checks.hpp"
#include "aplomb/recording/checks/marker_checks.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

/// What one plate felt over the whole recording.
struct PlateReport {
  double loaded_ratio = 0.0;               ///< of its samples
  double peak_n = 0.0;                     ///< largest vertical force
  std::optional<double> mean_loaded_n;     ///< mean vertical force while loaded
  std::optional<double> cop_inside_ratio;  ///< of the loaded samples
};

/// What a person wants to know of a recording.
struct Examination {
  MarkerChecks markers;
  std::vector<PlateReport> plates;  ///< in the order of the forces' plates
  std::optional<BodyWeight> weight;
  std::optional<double> stated_mass_kg;  ///< the file's own word for it
  std::optional<ForceLag> lag;
  std::vector<std::string> warnings;  ///< most serious first
};

/// `forces` is where the plates are: the recording itself, or a second file. `mass_kg`: the subject's, to compare with.
Examination examine(const Recording& motion, const Recording& forces, const std::optional<double>& mass_kg);

}  // namespace aplomb
