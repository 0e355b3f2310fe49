#pragma once

#include <filesystem>
#include <optional>

#include "aplomb/recording/recording.hpp"

namespace aplomb {

/// A trial, and its forces if they are in a separate file.
struct TrialRecording {
  Recording motion;
  std::optional<Recording> forces;

  const ForcePlates& plates() const { return forces ? forces->forces : motion.forces; }
};

/// Reads a trial for an analysis. Throws FileError, also for a time column that is not even and for forces without a
/// plate.
TrialRecording read_trial_recording(const std::filesystem::path& trial,
                                    const std::optional<std::filesystem::path>& forces);

/// NAME_grf.mot beside the trial NAME.EXTENSION, where laboratories put its forces; none when there is no such file.
std::optional<std::filesystem::path> forces_beside(const std::filesystem::path& trial);

}  // namespace aplomb
