#include "shared/subject_request.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {
namespace {

std::vector<MarkerSet> marker_sets(const SubjectRequest& request) {
  if (request.markers) return {read_marker_set(*request.markers)};
  return built_in_marker_sets();
}

}  // namespace

void add_subject_options(CLI::App& verb, SubjectRequest& request) {
  verb.add_option("--static", request.still, "static trial: the subject stands still")->type_name("FILE");
  verb.add_option("--mass", request.mass, "stated body mass [kg]; force plates take precedence")
      ->type_name("KG")
      ->check(CLI::Range(2.0, 400.0));
  verb.add_option("--height", request.height, "stated body height [m]; default: from the markers")
      ->type_name("M")
      ->check(CLI::Range(0.4, 2.6));
  verb.add_option("--sex", request.sex_text, "F or M: selects the mean segment masses (default M)")->type_name("F/M");
  verb.add_option("--model", request.model, "folder of an earlier `aplomb human`: reuse its subject")
      ->type_name("DIR");
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

TrialRecording read_trial_recording(const std::filesystem::path& trial,
                                    const std::optional<std::filesystem::path>& forces) {
  TrialRecording files{.motion = read_recording(trial, {})};
  if (forces) {
    files.forces.emplace(read_recording(*forces, {}));
    if (files.forces->forces.plates.empty()) {
      throw FileError({forces->string()}, "has no force plates; `aplomb doctor` shows what is in it");
    }
    add_forces(files.motion, *files.forces, {});
  }
  return files;
}

FoundSubject find_subject(const SubjectRequest& request, const Recording& first) {
  if (request.model) return {read_subject(std::filesystem::path(*request.model) / "subject.yaml"), std::nullopt};
  const Points* points = first.points();
  if (points == nullptr) {
    throw FileError({first.file.string()}, "has no markers; a trial is a C3D, TRC or CSV file with markers");
  }
  SubjectOptions options{.size = request.skeleton == "47" ? SkeletonSize::light : SkeletonSize::full,
                         .height = request.height,
                         .sets = marker_sets(request)};
  if (request.sex_text) options.sex = *parse_sex(*request.sex_text);
  if (request.mass) options.mass = *request.mass;
  std::optional<Recording> still;
  if (request.still) {
    still.emplace(read_recording(*request.still, {}));
    if (still->points() == nullptr) throw FileError({*request.still}, "has no markers; a static trial shows them");
  }
  SubjectOutcome built = build_subject(*points, still ? still->points() : nullptr, options);
  SubjectModel model = built.scaling.subject;
  return {std::move(model), std::move(built)};
}

}  // namespace aplomb
