#include "aplomb/pipeline/rise_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "aplomb/control/planned_torque.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/pipeline/plan_cache.hpp"
#include "aplomb/recording/trial_recording.hpp"
#include "aplomb/retarget/given_contacts.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();  // nothing measures how far the step is

[[noreturn]] void fail(const PlaceOf& place_of, const char* key, const std::string& what) {
  if (place_of) throw FileError(place_of(key), what);
  throw InvalidValue(what);
}

/// Everything that a plan depends on.
std::string key_of(const RisePlanner::Task& task) {
  const PlanRequest& plan = task.plan;
  const std::string chair =
      task.chair ? fmt::format("{} {}", task.chair->height, task.chair->has_arm_rests) : std::string("none");
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", task.robot, task.robot_model, plan.style,
                     plan.demonstration, plan.contacts, plan.trajectory, static_cast<int>(plan.parameters),
                     static_cast<int>(plan.clip), plan.rise, static_cast<int>(plan.mode), plan.force, plan.seed, chair);
}

void require_no_contradiction(const RisePlanner::Task& task, const HumanTrial& trial) {
  const std::string reason = contradiction(trial);
  if (reason.empty() || task.plan.force) return;
  fail(task.place_of, "plan.demonstration",
       fmt::format("plan.demonstration: {}; `aplomb human` shows where, and plan.force: true plans it all the same",
                   reason));
}

/// The recording of a demonstration with its force plates: its own, or those of NAME_grf.mot beside it.
TrialRecording read_demonstration(const fs::path& file, std::vector<std::string>& notes) {
  const std::optional<fs::path> forces = forces_beside(file);
  TrialRecording recording = read_trial_recording(file, forces);
  if (forces) {
    notes.push_back(
        fmt::format("Force plates of the demonstration: {}, found beside it.", forces->filename().string()));
  } else if (recording.motion.forces.plates.empty()) {
    notes.push_back(
        fmt::format("The demonstration has no force plates, and there is no {}_grf.mot beside it: nothing confirms the "
                    "person's centre of mass.",
                    file.stem().string()));
  }
  return recording;
}

void require_fits(const RisePlanner::Task& task, const MotionPlan& plan, const RobotModel& robot) {
  constexpr const char* kKey = "reference.trajectory.folder";
  const Trajectory& trajectory = plan.trajectory;
  const std::vector<Joint>& joints = robot.joints();
  if (!std::ranges::equal(trajectory.joints, joints, {}, {}, &Joint::name)) {
    fail(
        task.place_of, kKey,
        fmt::format("reference.trajectory: it was planned for robot {} with {} joints, and this is {} with {}; plan it "
                    "again with `aplomb retarget --robot {}`",
                    trajectory.robot, trajectory.joints.size(), robot.name(), joints.size(), robot.name()));
  }
  if (plan.contacts.has(ContactSite::seat) || !task.chair) return;
  fail(task.place_of, kKey,
       "reference.trajectory: its contacts.yaml has no contact 'seat', and the scenario has a chair: the controller "
       "could not know when the seat is left; plan the rise with `aplomb retarget`");
}

}  // namespace

bool PlanRequest::plans_as(const PlanRequest& other) const {
  return is_asked == other.is_asked && style == other.style && demonstration == other.demonstration &&
         contacts == other.contacts && trajectory == other.trajectory && parameters == other.parameters &&
         clip == other.clip && rise == other.rise && mode == other.mode && force == other.force;
}

std::shared_ptr<const RobotModel> RisePlanner::load(const std::string& name_or_path) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const RobotModel>& robot = robots_[name_or_path];
  if (!robot) robot = std::make_shared<const RobotModel>(RobotModel::load(name_or_path));
  return robot;
}

std::shared_ptr<const RisePlan> RisePlanner::plan(const Task& task) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const RisePlan>& plan = plans_[key_of(task)];
  if (!plan) plan = make(task);
  if (task.chair) return plan;
  Task seated = task;
  seated.chair = chair_of(*plan->motion);
  if (seated.chair) plans_.emplace(key_of(seated), plan);
  return plan;
}

void RisePlanner::provide_person(const std::string& demonstration, TrialAnalysis analysis,
                                 std::vector<std::string> notes) {
  const std::lock_guard lock(mutex_);
  persons_[demonstration] = {.recording = nullptr,
                             .analysis = std::make_shared<const TrialAnalysis>(std::move(analysis)),
                             .notes = std::move(notes)};
}

std::shared_ptr<const RisePlan> RisePlanner::make(const Task& task) {
  auto plan = std::make_shared<RisePlan>();
  if (!task.plan.trajectory.empty()) {
    choose_believed(task, *plan);
    plan->motion = std::make_shared<MotionPlan>(read_plan(task.plan.trajectory));
    require_fits(task, *plan->motion, *plan->believed);
    return plan;
  }
  analyse_demonstration(task, *plan);
  if (!task.plan.contacts.empty()) {
    plan->trial =
        std::make_shared<const HumanTrial>(with_contacts(*plan->trial, read_contact_schedule(task.plan.contacts)));
  }
  const HumanTrial& person = *plan->trial;
  require_no_contradiction(task, person);
  choose_believed(task, *plan);
  RetargetOptions options;
  options.rise = static_cast<std::size_t>(task.plan.rise - 1);
  options.clip = task.plan.clip;
  options.mode = task.plan.mode;
  if (task.chair) options.chair_height = task.chair->height;
  options.has_arm_rests = !task.chair || task.chair->has_arm_rests;
  try {
    plan->retargeted = std::make_shared<const Retargeted>(motion_of(person, *plan->believed, options));
  } catch (const UnfitChair& error) {
    if (!task.place_of) throw;
    fail(task.place_of, "world.chair.height_m", fmt::format("world.chair.height_m: {}", error.what()));
  }
  plan->motion =
      std::make_shared<const MotionPlan>(MotionPlan{plan->retargeted->trajectory, plan->retargeted->contacts});
  plan->notes.insert(plan->notes.end(), plan->retargeted->notes.begin(), plan->retargeted->notes.end());
  return plan;
}

void RisePlanner::analyse_demonstration(const Task& task, RisePlan& plan) {
  const std::string& given = task.plan.demonstration;
  if (!given.empty() && fs::is_directory(given)) {
    plan.trial = std::make_shared<const HumanTrial>(read_trial(given));
    return;
  }
  Person& person = persons_[given.empty() ? "style " + task.plan.style : given];
  constexpr const char* kStep = "the person's motion";
  const auto on_frames = [this](double done) { report(kStep, done); };
  if (!person.analysis) report(kStep, 0.0);
  if (!person.analysis && given.empty()) {
    person.recording = std::make_shared<const C3dFile>(demonstrated_recording(task.plan.style));
    const Recording recording = to_recording(*person.recording, task.plan.style + ".c3d");
    person.analysis = std::make_shared<const TrialAnalysis>(analyse(recording, {.on_progress = on_frames}));
  } else if (!person.analysis) {
    const TrialRecording recording = read_demonstration(given, person.notes);
    person.analysis = std::make_shared<const TrialAnalysis>(
        analyse(recording.motion, {.plates = &recording.plates(), .on_progress = on_frames}));
  }
  plan.recording = person.recording;
  plan.person = person.analysis;
  plan.notes.insert(plan.notes.end(), person.notes.begin(), person.notes.end());
  plan.trial = std::make_shared<const HumanTrial>(person.analysis->trial());
}

void RisePlanner::choose_believed(const Task& task, RisePlan& plan) {
  const RobotModel& robot = *task.base;
  const std::string& cad_name = robot.description().cad;
  plan.believed = task.base;
  if (!task.robot_model.empty()) {
    plan.notes.push_back(fmt::format("Plan and controller use the model {}.", task.robot_model));
    return;
  }
  if (task.plan.parameters == PlanRequest::Parameters::actual || cad_name.empty()) {
    plan.notes.push_back(fmt::format("Plan and controller use the masses of {} itself{}.", robot.name(),
                                     cad_name.empty() ? ", of which no other CAD is known" : ""));
    return;
  }
  if (task.plan.parameters == PlanRequest::Parameters::cad) {
    plan.notes.push_back(fmt::format("Plan and controller use the CAD, {}.", cad_name));
    plan.believed = std::make_shared<const RobotModel>(robot.cad());
    return;
  }
  plan.notes.push_back("Plan and controller use masses identified from 88 postures.");
  std::shared_ptr<const IdentifiedRobot>& identified = identified_[fmt::format("{}\n{}", task.robot, task.plan.seed)];
  if (!identified) {
    const Log postures = postures_of(robot, {.seed = static_cast<std::uint64_t>(task.plan.seed)});
    report("the robot's masses", kUnknown);
    identified = std::make_shared<const IdentifiedRobot>(
        identify(postures, robot.cad(), {}, /*source=*/"88 postures in simulation"));
  }
  plan.identified = identified;
  plan.believed = std::shared_ptr<const RobotModel>(identified, &identified->model);
}

Log RisePlanner::postures_of(const RobotModel& robot, const PostureExperiment& experiment) const {
  const std::string key = cache_ ? PlanCache::postures_key(robot, experiment) : std::string();
  if (cache_) {
    if (std::optional<Log> found = cache_->find_postures(key)) return std::move(*found);
  }
  const std::string step = fmt::format("{} postures for the robot's masses", experiment.postures);
  report(step, 0.0);
  Log postures =
      measure_postures(robot, experiment, [&](double number) { report(step, number / experiment.postures); });
  if (cache_) cache_->keep(key, postures);
  return postures;
}

Retargeted RisePlanner::motion_of(const HumanTrial& person, const RobotModel& robot,
                                  const RetargetOptions& options) const {
  const std::string key = cache_ ? PlanCache::plan_key(person, robot, options) : std::string();
  if (cache_) {
    if (std::optional<Retargeted> found = cache_->find_plan(key)) return std::move(*found);
  }
  report("plan of the robot's motion", kUnknown);
  Retargeted plan = retarget(person, robot, options);
  if (cache_) cache_->keep(key, plan);
  return plan;
}

std::optional<Chair> chair_of(const MotionPlan& plan) {
  if (plan.contacts.chair_height_m <= 0.0) return std::nullopt;
  Chair chair{.height = plan.contacts.chair_height_m};
  chair.has_arm_rests = hand_share_of(plan.trajectory).cols() > 0;
  return chair;
}

C3dFile demonstrated_recording(const std::string& style) {
  DemonstratorOptions options;
  options.style = style;
  return record(demonstrate(options), {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d;
}

std::string torque_note(const RobotModel& believed, const MotionPlan& plan, double speed) {
  const PeakTorque peak = peak_torque(believed, planned_torque(believed, plan, speed));
  if (peak.ratio <= 1.0) return {};
  const Joint& joint = believed.joints()[static_cast<std::size_t>(peak.joint)];
  return fmt::format("The plan needs {:.1f} times the {:.3g} N m that joint {} has: it cannot be followed there.",
                     peak.ratio, joint.effort, joint.name);
}

}  // namespace aplomb
