#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/step_progress.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "retarget/motion_input.hpp"
#include "rise/rise_results.hpp"
#include "rise/rise_scenario.hpp"
#include "rise/rise_summary.hpp"
#include "shared/load_robot.hpp"
#include "shared/quantity.hpp"
#include "shared/subject_request.hpp"
#include "shared/table.hpp"
#include "shared/tell_notes.hpp"
#include "shared/write_identified.hpp"
#include "shared/write_into.hpp"
#include "shared/write_person.hpp"
#include "shared/write_planned.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

struct RiseRequest : SubjectRequest {
  std::string recording, robot;
  std::optional<std::string> forces, robot_model, out;
  std::optional<double> chair_height;
  int rise = 1;
  bool force = false, json = false;
};

class RiseWork {
 public:
  explicit RiseWork(const RiseRequest& request)
      : request_(request),
        folder_(request.out ? std::make_unique<OutputFolder>(*request.out) : nullptr),
        robot_(std::make_shared<const RobotModel>(load_robot(request.robot, request.robot_model))) {
    planner_.use_cache(PlanCache::of_user());
    std::vector<std::string> forces;
    if (request.forces) forces.push_back(*request.forces);
    std::vector<MotionInput> motions = find_motions({request.recording}, forces);
    if (motions.size() > 1) {
      throw FileError({request.recording},
                      fmt::format("has {} motions, and one is to be risen from; give one of them, e.g. {}",
                                  motions.size(), motions.front().path.string()));
    }
    motion_ = motions.front();
  }

  int run() {
    const auto begin = std::chrono::steady_clock::now();
    analyse_person();
    const std::shared_ptr<const RisePlan> plan = make_plan();
    Progress progress("stand up", 1.0);
    const Scenario scenario = to_scenario(own_rise(*plan->motion));
    rise_ = run_rise(motion_.name, scenario, planner_,
                     [&](double time_s) { progress.update(time_s / scenario.duration_s); });
    if (rise_.plan->identified) identified_ = describe_identified(rise_);
    progress.finish();
    result_ = result_of(rise_, identified_);
    result_.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (folder_) {
      write_into(*folder_, *request_.out, [&](const auto& path) { write(path); });
      check_interrupt();
      folder_->commit();
    }
    show();
    return result_.any_check_fails() ? kCheckFailed : kSuccess;
  }

 private:
  /// Analyses the recording as `aplomb human` would; the planner reads a folder of `aplomb human` itself.
  void analyse_person() {
    if (motion_.is_analysed()) {
      accept(read_motion(motion_, request_));
      return;
    }
    Progress progress("person", 1.0);
    const TrialRecording recording = read_trial_recording(motion_.path, motion_.forces);
    TrialAnalysis person =
        analyse(request_, recording, AnalysisOptions().cutoff_hz, [&progress](double done) { progress.update(done); });
    accept(person.trial());
    std::vector<std::string> notes;
    if (motion_.forces && !request_.forces) {
      notes.push_back(
          fmt::format("Force plates: {}, found beside the recording.", motion_.forces->filename().string()));
    } else if (recording.plates().plates.empty()) {
      notes.emplace_back("The recording has no force plates: nothing confirms the person's centre of mass.");
    }
    planner_.provide_person(motion_.path.string(), std::move(person), std::move(notes));
  }

  void accept(const HumanTrial& trial) {
    if (!request_.force) require_matching_subject(trial, motion_.path.string());
    if (!request_.chair_height) return;
    const auto rise = static_cast<std::size_t>(request_.rise - 1);
    const bool pushes_off = rise < trial.rises.size() && trial.rises[rise].hands.any();
    chair_ = Chair{.height = *request_.chair_height, .has_arm_rests = pushes_off};
  }

  std::shared_ptr<const RisePlan> make_plan() {
    StepProgress progress(motion_.name);
    planner_.report_steps([&progress](std::string_view step, double done) { progress.update(step, done); });
    RisePlanner::Task task{.plan = asked(), .robot = request_.robot, .base = robot_};
    if (request_.robot_model) task.robot_model = *request_.robot_model;
    task.chair = chair_;
    try {
      std::shared_ptr<const RisePlan> plan = planner_.plan(task);
      if (!chair_) chair_ = chair_of(*plan->motion);
      planner_.report_steps({});
      return plan;
    } catch (const UnfitChair& error) {
      throw InvalidValue(fmt::format("--chair-height: {}", error.what()));
    }
  }

  PlanRequest asked() const {
    PlanRequest plan{.is_asked = true, .demonstration = motion_.path.string(), .rise = request_.rise};
    plan.force = request_.force;
    return plan;
  }

  /// The rise on the chair that it was planned for, until the robot has stood still.
  OwnRise own_rise(const MotionPlan& plan) const {
    constexpr double kHold = 3.0;  // [s], judged after 2 s
    OwnRise rise{
        .name = motion_.name,
        .about = fmt::format("{} stands up as the person in {} did.", robot_->name(), motion_.path.filename().string()),
        .robot = request_.robot,
        .robot_model = request_.robot_model.value_or(""),
        .plan = asked()};
    const double plan_s = plan.trajectory.end_s() - plan.trajectory.start_s;
    rise.duration_s = 1e-3 * std::ceil(1e3 * (rise.plan.start_s + plan_s + kHold));
    rise.chair = chair_.value();
    return rise;
  }

  void write(const fs::path& path) {
    if (rise_.person) write_person(*rise_.plan->person, *rise_.person, path / "person");
    fs::create_directory(path / "plan");
    write_planned(rise_.retargeted, *rise_.plan->retargeted, path / "plan");
    write_file(path / "scenario.yaml", scenario_beside_plan(path));
    ReportPage page = rise_.page;
    page.title = fmt::format("{} stands up as {} did", robot_->name(), motion_.name);
    page.tables.insert(page.tables.begin(), summary_of(rise_, identified_));
    page.scene = make_rise_scene(rise_.run, *rise_.plan->trial, *rise_.plan->retargeted);
    std::vector<ReportChapter> chapters;
    const std::vector<RiseResults> rises{rise_};
    if (rise_.person) {
      chapters.push_back(
          person_chapter(rises, {"vertical_force", "com_in_the_sagittal_plane", "cop_forward", "centre_of_mass"}));
    }
    if (identified_) chapters.push_back(masses_chapter(rise_, *identified_));
    chapters.push_back(plan_chapter(rises));
    chapters.push_back(standing_up_chapter(rises));
    write_result_files(result_, rise_.run.log, page, {LogFormat::csv, LogFormat::npz}, path, chapters);
  }

  /// The run again, with the plan that is written: for `aplomb run DIR/scenario.yaml`, with pushes or other
  /// controllers.
  std::string scenario_beside_plan(const fs::path& path) const {
    const std::string& out = *request_.out;
    OwnRise again = own_rise(*rise_.plan->motion);
    again.plan.trajectory = "plan";
    again.robot = as_named_in(out, request_.robot);
    if (!again.robot_model.empty()) again.robot_model = as_named_in(out, again.robot_model);
    if (identified_) {
      fs::create_directory(path / "masses");
      const IdentifiedRobot& identified = *rise_.plan->identified;
      write_identified(*identified_, *identified.cad, identified.found.body_inertias, path / "masses");
      again.robot_model = "masses/identified.urdf";
    }
    return "# The rise of this folder again: `aplomb run` with --set, --repeat, and `aplomb compare`.\n" + again.yaml();
  }

  void show() const {
    if (request_.json) {
      print(to_json(result_) + "\n");
    } else {
      Result headline = result_;
      headline.metrics = {};
      const PageTable table = summary_of(rise_, identified_);
      print(aligned_table(table.header, table.rows) + "\n" + summary_table(headline, wants_colours(STDOUT_FILENO)));
    }
    tell_notes(rise_.run);
    if (!folder_) return;
    const fs::path out = *request_.out;
    tell(fmt::format("report: {}\nagain, with changes: aplomb run {} --set KEY=VALUE\n", (out / "report.html").string(),
                     shell_word((out / "scenario.yaml").string())));
  }

  const RiseRequest& request_;
  std::unique_ptr<OutputFolder> folder_;  ///< first, so that an unwritable folder is reported before the work
  std::shared_ptr<const RobotModel> robot_;
  MotionInput motion_;
  std::optional<Chair> chair_;  ///< as asked for, else the one that was planned for
  RisePlanner planner_;
  RiseResults rise_;
  std::optional<IdentifyOutput> identified_;
  Result result_;
};

}  // namespace

Action add_rise(CLI::App& program) {
  auto request = std::make_shared<RiseRequest>();
  CLI::App* verb =
      add_verb(program, "rise", "A person's recorded rise from a chair, done by a robot.",
               "  aplomb rise sts.c3d --robot g1 --out out/rise\n"
               "  aplomb rise sts.trc --forces sts_grf.mot --static static.trc --robot coman --out out/rise\n"
               "  aplomb rise sts.c3d --robot my_robot.urdf --rise 2 --chair-height 0.4 --out out/rise\n"
               "  aplomb rise out/sts --robot talos            a folder of `aplomb human`\n\n"
               "The person's centre of mass is estimated (`aplomb human`), the rise is mapped to the robot\n"
               "(`aplomb retarget`), and the robot stands up in simulation (`aplomb run`), all in one report.\n"
               "Masses that plan and controller use: those of --robot-model; else, for a robot whose YAML names\n"
               "its `cad`, those identified from 88 simulated postures; else those of the robot's URDF.\n"
               "Writes report.html, metrics.json, the log, the folders person, plan (and masses), and scenario.yaml,\n"
               "which `aplomb run` repeats with pushes or other controllers. docs/sit_to_stand.md has the methods.\n\n"
               "Exit 0: done, and every check of person, plan and run held; 1: a check failed;\n"
               "2: bad input, nothing is written.");
  verb->add_option("RECORDING", request->recording,
                   "a recording, or a folder of `aplomb human`: " + recording_extensions(RecordingContent::motion))
      ->required();
  verb->add_option("--robot", request->robot, "a name from `aplomb list`, a URDF or a robot's YAML")
      ->type_name("ROBOT")
      ->required();
  verb->add_option("--robot-model", request->robot_model, "URDF with other inertias, as `aplomb identify` writes it")
      ->type_name("URDF");
  verb->add_option("--forces", request->forces, "force plates of the recording; default: NAME_grf.mot beside it")
      ->type_name("FILE");
  add_subject_options(*verb, *request);
  verb->add_option("--rise", request->rise, "which rise of the recording, from 1")
      ->type_name("N")
      ->check(count_of("rises", 1, 10000))
      ->capture_default_str();
  verb->add_option("--chair-height", request->chair_height,
                   "height of the robot's chair [m]; default: one that fits its legs")
      ->type_name("M")
      ->check(quantity(0.01, 2.0, "m"));
  verb->add_flag("--force", request->force, "continue although the recording contradicts the subject's model");
  verb->add_option("--out", request->out, "folder for the results and report.html")->type_name("DIR");
  verb->add_flag("--json", request->json, "print the result as JSON");
  return [request] {
    check_subject(*request);
    return RiseWork(*request).run();
  };
}

}  // namespace aplomb
