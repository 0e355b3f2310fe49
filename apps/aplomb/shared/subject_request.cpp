#include "shared/subject_request.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "aplomb/core/error.hpp"
#include "aplomb/human/subject/osim_reader.hpp"
#include "aplomb/human/subject_model.hpp"
#include "shared/quantity.hpp"

namespace aplomb {

void add_subject_options(CLI::App& verb, SubjectRequest& request) {
  verb.add_option("--static", request.still, "static trial: the subject stands still")->type_name("FILE");
  verb.add_option("--mass", request.mass, "stated body mass [kg]; force plates take precedence")
      ->type_name("KG")
      ->check(quantity(2.0, 400.0, "kg"));
  verb.add_option("--height", request.height, "stated body height [m]; default: from the markers")
      ->type_name("M")
      ->check(quantity(0.4, 2.6, "m"));
  verb.add_option("--sex", request.sex_text, "F or M: selects the mean segment masses (default M)")->type_name("F/M");
  verb.add_option("--model", request.model, "subject of an earlier `aplomb human`, or an OpenSim model (.osim)")
      ->type_name("DIR/FILE");
  verb.add_option("--markers", request.markers, "your own marker set, in the format of marker_sets/")
      ->type_name("YAML");
  verb.add_option("--skeleton", request.skeleton, "number of skeleton coordinates")
      ->check(CLI::IsMember({"47", "155"}))
      ->capture_default_str();
}

void check_subject(const SubjectRequest& request) {
  if (request.model && (request.still || request.height || request.sex_text)) {
    throw InvalidValue("--model gives a finished subject; it cannot be combined with --static, --height or --sex");
  }
  if (request.sex_text && !parse_sex(*request.sex_text)) {
    throw InvalidValue(fmt::format("--sex is F or M, not '{}'", *request.sex_text));
  }
}

namespace {

/// The options of a request, and what they refer to.
class Settings {
 public:
  Settings(const SubjectRequest& request, double cutoff_hz, const std::function<void(double)>& on_progress)
      : options{.mass = request.mass,
                .height = request.height,
                .size = request.skeleton == "47" ? SkeletonSize::light : SkeletonSize::full,
                .cutoff_hz = cutoff_hz,
                .on_progress = on_progress} {
    if (request.sex_text) options.sex = *parse_sex(*request.sex_text);
    if (request.markers) options.marker_sets = {read_marker_set(*request.markers)};
    if (request.model) {
      const std::filesystem::path model = *request.model;
      model_ = model.extension() == ".osim" ? read_osim(model) : read_subject(model / "subject.yaml");
      options.subject = &*model_;
    }
    if (!request.still) return;
    still_.emplace(read_recording(*request.still));
    options.static_trial = still_->points();
    if (options.static_trial == nullptr) throw FileError({*request.still}, "has no markers; a static trial shows them");
  }
  Settings(const Settings&) = delete;

  AnalysisOptions options;

 private:
  std::optional<SubjectModel> model_;
  std::optional<Recording> still_;
};

}  // namespace

TrialAnalysis analyse(const SubjectRequest& request, const TrialRecording& trial, double cutoff_hz,
                      const std::function<void(double)>& on_progress) {
  Settings settings(request, cutoff_hz, on_progress);
  settings.options.plates = &trial.plates();
  return analyse(trial.motion, settings.options);
}

std::vector<TrialAnalysis> analyse_same_person(const SubjectRequest& request, const std::vector<TrialRecording>& trials,
                                               double cutoff_hz, const std::function<void(double)>& on_progress) {
  const Settings settings(request, cutoff_hz, on_progress);
  return analyse_same_person(trials, settings.options);
}

}  // namespace aplomb
