#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/human/phases/rise_table.hpp"
#include "aplomb/human/subject/marker_set_text.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/present/human_report.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "human/human_text.hpp"
#include "human/people_file.hpp"
#include "human/people_work.hpp"
#include "shared/quantity.hpp"
#include "shared/subject_request.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "shared/write_person.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct HumanRequest : SubjectRequest {
  std::vector<std::string> trials, forces;
  std::optional<std::string> out, marker_set;
  double cutoff_hz = 4.0;
  std::size_t jobs = num_cores();
  bool is_same_person = false;
  bool json = false;
};

TrialRecording read_files(const HumanRequest& request, std::size_t index) {
  const bool has_forces = index < request.forces.size();
  return read_trial_recording(request.trials[index],
                              has_forces ? std::optional<std::filesystem::path>(request.forces[index]) : std::nullopt);
}

/// Folder names of the trials: the stem of each file, with a number when it is not unique.
std::vector<std::string> trial_names(const std::vector<std::string>& trials) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& trial : trials) {
    const std::string stem = std::filesystem::path(trial).stem().string();
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", stem, i);
    names.push_back(name);
  }
  return names;
}

class HumanWork {
 public:
  explicit HumanWork(const HumanRequest& request) : request_(request) {}

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
    if (request_.out) folder.emplace(*request_.out);
    if (request_.is_same_person) {
      analyse_together();
    } else {
      const TrialRecording first = read_files(request_, 0);
      analyse_first(first);
      analyse_others();
    }
    for (HumanOutput& output : outputs_) {
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      output.result.timing.set("wall_s", wall);
    }
    if (analyses_.size() > 1) compare_trials();
    if (request_.marker_set) write_marker_set();
    if (folder) {
      write_into(*folder, *request_.out, [&](const auto& path) { write(path); });
      check_interrupt();
      folder->commit();
    }
    show();
    const bool any_fails =
        std::ranges::any_of(outputs_, [](const HumanOutput& output) { return output.result.any_check_fails(); });
    return any_fails || !failures_.empty() ? kCheckFailed : kSuccess;
  }

 private:
  /// The report of the first trial compares all.
  void compare_trials() {
    const std::vector<TrialOfPerson> trials = trials_of(analyses_, outputs_);
    std::vector<PageTable> tables{trials_table(trials)};
    tables.front().about += " This page shows the first; the others have folders of their own.";
    PageTable rises = rises_by_trial(trials);
    if (!rises.rows.empty()) tables.push_back(std::move(rises));
    std::vector<PageTable>& shown = outputs_[0].page.tables;
    shown.insert(shown.begin(), std::make_move_iterator(tables.begin()), std::make_move_iterator(tables.end()));
  }

  void analyse_first(const TrialRecording& first) {
    Progress progress(first.motion.file.stem().string(), 1.0);
    analyses_.push_back(analyse(request_, first, request_.cutoff_hz, [&](double done) { progress.update(done); }));
    progress.finish();
    outputs_.push_back(describe(analyses_[0], analyses_[0].scaling ? &*analyses_[0].scaling : nullptr));
    outputs_[0].result.provenance.scenario_sha256 = sha256_of_file(request_.trials[0]);
  }

  /// Analyses all trials with one mass distribution, adjusted to the plates of all.
  void analyse_together() {
    std::vector<TrialRecording> trials;
    for (std::size_t i = 0; i < request_.trials.size(); ++i) trials.push_back(read_files(request_, i));
    Progress progress(fmt::format("{} trials", trials.size()), 1.0);
    analyses_ = analyse_same_person(request_, trials, request_.cutoff_hz, [&](double done) { progress.update(done); });
    progress.finish();
    for (std::size_t i = 0; i < analyses_.size(); ++i) {
      outputs_.push_back(describe(analyses_[i], analyses_[i].scaling ? &*analyses_[i].scaling : nullptr));
      outputs_[i].result.provenance.scenario_sha256 = sha256_of_file(request_.trials[i]);
    }
  }

  /// Analyses the other trials with the size and masses of the first. A failed trial does not stop the rest.
  void analyse_others() {
    const std::size_t count = request_.trials.size() - 1;
    std::vector<std::optional<TrialAnalysis>> found(count);
    std::vector<HumanOutput> outputs(count);
    std::vector<std::string> errors(count);
    const SubjectModel subject = analyses_[0].subject;
    for_each_parallel(count, request_.jobs, [&](std::size_t i) {
      try {
        const TrialRecording files = read_files(request_, i + 1);
        TrialAnalysis one = analyse(
            files.motion,
            {.mass = request_.mass, .cutoff_hz = request_.cutoff_hz, .plates = &files.plates(), .subject = &subject});
        outputs[i] = describe(one, nullptr);
        outputs[i].result.provenance.scenario_sha256 = sha256_of_file(request_.trials[i + 1]);
        found[i] = std::move(one);
      } catch (const Error& error) {
        errors[i] = error.what();
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (!found[i]) {
        failures_.push_back(errors[i]);
        continue;
      }
      analyses_.push_back(std::move(*found[i]));
      outputs_.push_back(std::move(outputs[i]));
    }
  }

  void write_marker_set() const {
    const std::filesystem::path file = *request_.marker_set;
    write_file(file, marker_set_text(*analyses_[0].scaling, file.stem().string()));
  }

  void write(const std::filesystem::path& path) const {
    write_person(analyses_[0], outputs_[0], path);
    if (request_.trials.size() == 1) return;
    std::vector<std::string> names;
    for (const TrialAnalysis& analysis : analyses_) names.push_back(analysis.name);
    names = trial_names(names);
    for_each_parallel(analyses_.size(), request_.jobs,
                      [&](std::size_t i) { write_person(analyses_[i], outputs_[i], path / names[i]); });
  }

  void show() const {
    for (const std::string& failure : failures_) tell(fmt::format("skipped: {}\n", failure));
    if (request_.json) {
      std::string text;
      for (const HumanOutput& output : outputs_) text += (text.empty() ? "" : ",\n") + to_json(output.result);
      print(outputs_.size() == 1 ? text + "\n" : "[" + text + "]\n");
    } else {
      print(human_text(analyses_, outputs_));
    }
    for (const std::string& note : outputs_[0].page.notes) tell(fmt::format("note: {}\n", note));
    if (request_.out) {
      tell(fmt::format("report: {}\nnext trial of this subject: aplomb human TRIAL --model {} --out DIR\n",
                       (std::filesystem::path(*request_.out) / "report.html").string(), shell_word(*request_.out)));
    }
  }

  const HumanRequest& request_;
  std::vector<TrialAnalysis> analyses_;
  std::vector<HumanOutput> outputs_;
  std::vector<std::string> failures_;
};

void check_marker_set(const HumanRequest& request) {
  const std::filesystem::path file = *request.marker_set;
  if (request.model) throw InvalidValue("--write-markers writes what scaling found, --model has no scaling: give one");
  if (file.extension() != ".yaml" && file.extension() != ".yml") {
    throw FileError({file.string()}, "--write-markers needs a name that ends in .yaml");
  }
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
    throw FileError({file.string()}, "already exists and is not overwritten; choose another name, or remove it first");
  }
  if (file.has_parent_path() && !std::filesystem::is_directory(file.parent_path(), error)) {
    throw FileError({file.string()}, "cannot be written: its folder does not exist");
  }
}

void check_request(const HumanRequest& request) {
  if (request.forces.size() > request.trials.size()) {
    throw InvalidValue(fmt::format("{} force files for {} trials; give one --forces for each trial, in the same order",
                                   request.forces.size(), request.trials.size()));
  }
  check_subject(request);
  if (request.marker_set) check_marker_set(request);
  if (!request.is_same_person) return;
  if (request.trials.size() < 2) {
    throw InvalidValue("--same-person adjusts one mass distribution to several trials; give at least two");
  }
  if (request.model) throw InvalidValue("--same-person adjusts masses, --model keeps them: give one of the two");
}

/// A people file says itself who is recorded where.
void check_people(const HumanRequest& request) {
  if (!request.has_any() && request.forces.empty() && !request.is_same_person && !request.marker_set) return;
  throw InvalidValue(
      fmt::format("'{}' is a people file: it has static trials, forces, masses, heights, sexes and marker "
                  "sets of each person itself; only --out, --json, --jobs and --cutoff-hz go with it",
                  request.trials.front()));
}

}  // namespace

Action add_human(CLI::App& program) {
  auto request = std::make_shared<HumanRequest>();
  CLI::App* verb =
      add_verb(program, "human", "A person's centre of mass, from markers and force plates.",
               "  aplomb human sts.trc --forces sts_grf.mot --static static.trc --mass 62.6 --out out/sts\n"
               "  aplomb human sts.c3d --out out/sts                     plates are in the C3D\n"
               "  aplomb human sts2.c3d --model out/sts --out out/sts2   the same subject, without refitting\n"
               "  aplomb human a.c3d b.c3d c.c3d --out out/all           size and masses from the first\n"
               "  aplomb human a.c3d b.c3d --same-person --out out/all   masses from all, each judged by the others\n"
               "  aplomb human people.yaml --out out/people              several people, compared in one report\n\n"
               "Fits a skeleton of the subject's size to the markers, computes centre of mass and momentum, and\n"
               "compares the ground reaction force that the motion requires with the measured one, wherever the\n"
               "plates carry the whole body. A few mass parameters are adjusted on one part of the recording and\n"
               "validated on the rest.\n"
               "Writes subject.yaml, human.urdf, human.osim (OpenSim), angles.mot, contacts.yaml (when feet, seat\n"
               "and hands bear), moments.mot, forces.mot (feet and seat, from the motion alone), rises.csv, log.csv,\n"
               "metrics.json, report.html.\n\n"
               "Checks, with plates: they carry the body, cover the trial, give the stated mass within 8 %, the CoP\n"
               "within 2 cm RMS forwards and sideways, and a force that the motion explains. With --static or\n"
               "--model: the distances between the markers are those of the same person. Marker samples that jump\n"
               "away for at most 0.2 s are left out and listed.\n"
               "Seat-off: the force on a seat plate falls below 1 % of body weight (or 10 N); without one, the force\n"
               "that the foot plates miss below 5 %; without plates, 50 ms after the CoM's largest forward speed.\n"
               "\n"
               "Exit 0: done, and the plates agree or there are none; 1: a check failed, or a trial did;\n"
               "2: bad input, nothing is written.");
  verb->add_option("TRIAL", request->trials,
                   fmt::format("recordings with markers ({}), or a people file",
                               recording_extensions(RecordingContent::markers)))
      ->required();
  verb->add_option("--forces", request->forces,
                   fmt::format("force plates of each trial, in their order ({})",
                               recording_extensions(RecordingContent::forces)))
      ->type_name("FILE");
  add_subject_options(*verb, *request);
  verb->add_option("--cutoff-hz", request->cutoff_hz, "cutoff of the zero-phase low-pass of motion and plates")
      ->type_name("HZ")
      ->check(quantity(0.5, 50.0, "Hz"))
      ->capture_default_str();
  verb->add_flag("--same-person", request->is_same_person,
                 "one mass distribution; each trial is judged by that of the others");
  verb->add_option("--jobs", request->jobs, "trials analysed in parallel")
      ->type_name("J")
      ->check(count_of("parallel trials", 1, 64));
  verb->add_option("--write-markers", request->marker_set,
                   "write the marker set that was found, unknown labels by segment")
      ->type_name("FILE");
  verb->add_option("--out", request->out, "folder for the results")->type_name("DIR");
  verb->add_flag("--json", request->json, "print the result as JSON");
  return [request] {
    if (is_people_file(request->trials)) {
      check_people(*request);
      return analyse_people({.file = request->trials.front(),
                             .out = request->out,
                             .cutoff_hz = request->cutoff_hz,
                             .jobs = request->jobs,
                             .json = request->json});
    }
    check_request(*request);
    return HumanWork(*request).run();
  };
}

}  // namespace aplomb
