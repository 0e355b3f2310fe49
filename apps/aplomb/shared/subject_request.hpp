#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "aplomb/human/analyse.hpp"
#include "aplomb/recording/recording.hpp"

namespace CLI {
class App;
}

namespace aplomb {

/// Options that describe the subject of a recording.
struct SubjectRequest {
  std::optional<std::string> still, model, markers, sex_text;
  std::optional<double> mass, height;
  std::string skeleton = "47";

  bool has_any() const { return still || model || markers || sex_text || mass || height; }
};

/// Adds --static, --mass, --height, --sex, --model, --markers and --skeleton.
void add_subject_options(CLI::App& verb, SubjectRequest& request);
void check_subject(const SubjectRequest& request);  ///< throws InvalidValue

/// A trial, and its forces if they are in a separate file.
struct TrialRecording {
  Recording motion;
  std::optional<Recording> forces;

  const ForcePlates& plates() const { return forces ? forces->forces : motion.forces; }
};
TrialRecording read_trial_recording(const std::filesystem::path& trial,
                                    const std::optional<std::filesystem::path>& forces);  ///< throws FileError

/// Analyses a trial with these options: scales the subject, or uses that of --model. Throws Error.
TrialAnalysis analyse(const SubjectRequest& request, const TrialRecording& trial, double cutoff_hz,
                      const std::function<void(double)>& on_progress = {});

}  // namespace aplomb
