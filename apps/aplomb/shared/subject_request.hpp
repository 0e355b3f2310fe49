#pragma once

#include <functional>
#include <optional>
#include <string>

#include "aplomb/human/analyse.hpp"
#include "aplomb/recording/trial_recording.hpp"

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

/// Analyses a trial with these options: scales the subject, or uses that of --model. Throws Error.
TrialAnalysis analyse(const SubjectRequest& request, const TrialRecording& trial, double cutoff_hz,
                      const std::function<void(double)>& on_progress = {});

/// Analyses several trials of one person together. Throws Error.
std::vector<TrialAnalysis> analyse_same_person(const SubjectRequest& request, const std::vector<TrialRecording>& trials,
                                               double cutoff_hz, const std::function<void(double)>& on_progress = {});

}  // namespace aplomb
