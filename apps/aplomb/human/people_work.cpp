#include "human/people_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "human/people_file.hpp"
#include "human/people_report.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "shared/write_person.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

/// A person with the analyses of all trials.
struct AnalysedPerson {
  std::vector<TrialAnalysis> analyses;
  std::vector<HumanOutput> outputs;
  std::string error;  ///< why there are none; empty: there are
};

AnalysedPerson analysed(const PersonFiles& person, double cutoff_hz) {
  AnalysedPerson result;
  try {
    check_subject(person.subject);
    std::vector<TrialRecording> trials;
    for (const TrialFiles& files : person.trials) trials.push_back(read_trial_recording(files.markers, files.forces));
    if (trials.size() == 1) {
      result.analyses.push_back(analyse(person.subject, trials.front(), cutoff_hz));
    } else {
      result.analyses = analyse_same_person(person.subject, trials, cutoff_hz);
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < result.analyses.size(); ++i) {
      TrialAnalysis& analysis = result.analyses[i];
      const std::string stem = analysis.name;
      for (int number = 2; !taken.insert(analysis.name).second; ++number) {
        analysis.name = fmt::format("{}_{}", stem, number);
      }
      result.outputs.push_back(describe(analysis, analysis.scaling ? &*analysis.scaling : nullptr));
      result.outputs.back().result.provenance.scenario_sha256 = sha256_of_file(person.trials[i].markers);
    }
  } catch (const Error& error) {
    result.error = error.what();
    result.analyses.clear();
    result.outputs.clear();
  }
  return result;
}

class PeopleWork {
 public:
  explicit PeopleWork(const PeopleRequest& request) : request_(request), people_(read_people(request.file)) {}

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
    if (request_.out) folder.emplace(*request_.out);
    found_.resize(people_.size());
    for_each_parallel(people_.size(), request_.jobs,
                      [&](std::size_t i) { found_[i] = analysed(people_[i], request_.cutoff_hz); });
    summarise();
    result_.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (folder) {
      write_into(*folder, *request_.out, [&](const auto& path) { write(path); });
      check_interrupt();
      folder->commit();
    }
    show();
    return result_.any_check_fails() ? kCheckFailed : kSuccess;
  }

 private:
  void summarise() {
    std::int64_t failed = 0;
    for (std::size_t k = 0; k < people_.size(); ++k) {
      const AnalysedPerson& person = found_[k];
      if (!person.error.empty()) {
        failed += static_cast<std::int64_t>(people_[k].trials.size());
        page_.notes.push_back(fmt::format("{} is left out: {}", people_[k].name, person.error));
      }
      for (std::size_t i = 0; i < person.outputs.size(); ++i) {
        trials_.push_back({people_[k].name, &person.analyses[i], &person.outputs[i]});
        failed += person.outputs[i].result.any_check_fails() ? 1 : 0;
      }
    }
    std::int64_t count = 0;
    for (const PersonFiles& person : people_) count += static_cast<std::int64_t>(person.trials.size());
    result_.verb = "human";
    result_.scenario = request_.file.stem().string();
    result_.provenance.version = version();
    result_.provenance.commit = commit();
    result_.provenance.scenario_sha256 = sha256_of_file(request_.file);
    result_.metrics.set("people", static_cast<std::int64_t>(people_.size()));
    result_.metrics.set("trials", count);
    result_.metrics.set("trials_failed", failed);
    result_.checks.push_back(judge({"trials_failed", Check::Rule::equals, std::int64_t{0},
                                    "Every check of every trial holds; the table names those that do not."},
                                   result_.metrics));
    page_.title = result_.scenario;
    page_.about =
        fmt::format("{} people, {} trials. Each trial has a report of its own in PERSON/TRIAL.", people_.size(), count);
    page_.tables.push_back(trials_table(trials_));
    PageTable rises = rises_by_trial(trials_);
    if (!rises.rows.empty()) page_.tables.push_back(std::move(rises));
  }

  void write(const std::filesystem::path& path) const {
    for_each_parallel(trials_.size(), request_.jobs, [&](std::size_t i) {
      const TrialOfPerson& trial = trials_[i];
      write_person(*trial.analysis, *trial.output, path / trial.person / trial.analysis->name);
    });
    write_result_files(result_, Log{}, page_, {}, path);
  }

  void show() const {
    for (const std::string& note : page_.notes) tell(fmt::format("note: {}\n", note));
    if (request_.json) {
      std::string text;
      for (const TrialOfPerson& trial : trials_) text += ",\n" + to_json(trial.output->result);
      print("[" + to_json(result_) + text + "]\n");
    } else {
      for (const PageTable& table : page_.tables) print(aligned_table(table.header, table.rows) + "\n");
    }
    if (request_.out) {
      tell(fmt::format("report: {}\n", (std::filesystem::path(*request_.out) / "report.html").string()));
    }
  }

  const PeopleRequest& request_;
  std::vector<PersonFiles> people_;
  std::vector<AnalysedPerson> found_;
  std::vector<TrialOfPerson> trials_;
  Result result_;
  ReportPage page_;
};

}  // namespace

int analyse_people(const PeopleRequest& request) { return PeopleWork(request).run(); }

}  // namespace aplomb
