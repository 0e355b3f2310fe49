#include "aplomb/scenario/rise_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstration/recording.hpp"
#include "aplomb/human/demonstrator_recording.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/postures.hpp"
#include "aplomb/scenario/identify_example.hpp"
#include "aplomb/scenario/load_robots.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

/// As a laboratory would: what the markers tell, judged by the plates.
HumanTrial analyse(const Recording& recording) {
  const Points* points = recording.points();
  if (points == nullptr) throw FileError({recording.file.string()}, "has no markers to plan a rise from");
  SubjectOptions options;
  options.sets = built_in_marker_sets();
  const SubjectOutcome built = build_subject(*points, nullptr, options);
  return analyse_trial(recording, recording.forces, built.scaling.subject, {}).trial();
}

/// The demonstrator's recording goes through a C3D file, as any other.
HumanTrial demonstrated(const std::string& style) {
  static std::atomic<int> count = 0;
  const fs::path file = fs::temp_directory_path() / fmt::format("aplomb-{}-{}.c3d", ::getpid(), count++);
  DemonstratorOptions options;
  options.style = style;
  write_c3d(file, record(demonstrate(options), {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d);
  const Recording recording = read_recording(file, {});
  fs::remove(file);
  return analyse(recording);
}

HumanTrial find_trial(const Scenario& scenario) {
  const std::string& given = scenario.plan.demonstration;
  if (given.empty()) return demonstrated(scenario.plan.style);
  HumanTrial trial = fs::is_directory(given) ? read_trial(given) : analyse(read_recording(given, {}));
  if (!trial.plates_agree) {
    throw FileError(
        scenario.place("plan.demonstration"),
        fmt::format("plan.demonstration: the force plates contradict the model of the person ({})", trial.verdict));
  }
  return trial;
}

RobotModel believed_model(const Scenario& scenario, std::vector<std::string>& notes) {
  const RobotModel plant = load_plant(scenario);
  RobotModel robot = load_believed(scenario, plant);
  const std::string& cad_name = robot.description().cad;
  if (!scenario.robot_model.empty()) {
    notes.push_back(fmt::format("Plan, feed-forward and feedback believe in {}.", scenario.robot_model));
    return robot;
  }
  if (scenario.plan.parameters == PlanRequest::Parameters::actual || cad_name.empty()) {
    notes.push_back(fmt::format("Plan, feed-forward and feedback believe in the masses of {} itself{}.", robot.name(),
                                cad_name.empty() ? ", of which no other CAD is known" : ""));
    return robot;
  }
  RobotModel cad(RobotModel::load(cad_name).urdf(), robot.description());
  if (scenario.plan.parameters == PlanRequest::Parameters::cad) {
    notes.push_back(fmt::format("Plan, feed-forward and feedback believe in the CAD, {}.", cad_name));
    return cad;
  }
  notes.push_back("Plan, feed-forward and feedback believe in masses that were identified from 88 postures.");
  return identified_model(robot, cad, static_cast<std::uint64_t>(scenario.plan.seed));
}

void require_for(const Scenario& scenario, const MotionPlan& plan, const RobotModel& robot) {
  const Trajectory& trajectory = plan.trajectory;
  const std::vector<Joint>& joints = robot.joints();
  const bool is_same = std::ranges::equal(trajectory.joints, joints, {}, {}, &Joint::name);
  if (!is_same) {
    throw FileError(
        scenario.place("reference.trajectory.folder"),
        fmt::format("reference.trajectory: it was planned for robot {} with {} joints, and this is {} with {}; "
                    "plan it again with `aplomb retarget --robot {}`",
                    trajectory.robot, trajectory.joints.size(), robot.name(), joints.size(), robot.name()));
  }
}

/// The chair that is believed in, unless the robot's own seated posture is one on that chair.
std::optional<double> other_chair(const Scenario& scenario, const RobotModel& robot) {
  constexpr double kSame = 0.002;  // [m]
  if (!scenario.believed_world.chair) return std::nullopt;
  const double height = scenario.believed_world.chair->height;
  if (robot.description().postures.contains("seated")) {
    const SeatedRobot own = sit_down(robot, find_limbs(robot), std::nullopt);
    if (std::abs(own.chair_height - height) < kSame) return std::nullopt;
  }
  return height;
}

std::shared_ptr<const RisePlan> make(const Scenario& scenario) {
  auto plan = std::make_shared<RisePlan>();
  plan->believed.emplace(believed_model(scenario, plan->notes));
  if (!scenario.plan.trajectory.empty()) {
    plan->motion = std::make_shared<MotionPlan>(read_plan(scenario.plan.trajectory));
    require_for(scenario, *plan->motion, *plan->believed);
    return plan;
  }
  RetargetOptions options;
  options.rise = static_cast<std::size_t>(scenario.plan.rise - 1);
  options.chair_height = other_chair(scenario, *plan->believed);
  plan->made.emplace(retarget(find_trial(scenario), *plan->believed, options));
  plan->motion = std::make_shared<MotionPlan>(MotionPlan{plan->made->trajectory, plan->made->contacts});
  plan->notes.insert(plan->notes.end(), plan->made->notes.begin(), plan->made->notes.end());
  return plan;
}

}  // namespace

RobotModel identified_model(const RobotModel& robot, const RobotModel& cad, std::uint64_t seed) {
  const Log postures = make_example(robot, {.seed = seed}, [](double) {});
  const PostureSet set = read_postures(TableFile{.file = "88 postures in simulation", .table = postures}, cad);
  const Identification found = identify(cad, set, {});
  return with_body_inertias(cad, found.body_inertias);
}

std::shared_ptr<const RisePlan> rise_plan_of(const Scenario& scenario) {
  if (!scenario.plan.is_asked) return nullptr;
  const std::lock_guard lock(scenario.rise_plan->mutex);
  if (!scenario.rise_plan->plan) scenario.rise_plan->plan = make(scenario);
  return scenario.rise_plan->plan;
}

}  // namespace aplomb
