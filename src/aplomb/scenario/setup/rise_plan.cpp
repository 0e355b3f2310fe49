#include "aplomb/scenario/setup/rise_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <optional>

#include "aplomb/control/planned_torque.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/postures.hpp"
#include "aplomb/pipeline/identify_example.hpp"
#include "aplomb/recording/recording.hpp"
#include "aplomb/scenario/setup/load_robots.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

/// As a laboratory would: what the markers tell, judged by the plates.
TrialAnalysis analyse(const Recording& recording) {
  const Points* points = recording.points();
  if (points == nullptr) throw FileError({recording.file.string()}, "has no markers to plan a rise from");
  SubjectOptions options;
  options.sets = built_in_marker_sets();
  const SubjectOutcome built = build_subject(*points, nullptr, options);
  return analyse_trial(recording, recording.forces, built.scaling.subject, {});
}

/// The demonstrator's recording goes through a C3D file, as any other.
TrialAnalysis analyse_demonstrator(const std::string& style) {
  static std::atomic<int> count = 0;
  const fs::path file = fs::temp_directory_path() / fmt::format("aplomb-{}-{}.c3d", ::getpid(), count++);
  write_c3d(file, demonstrated_recording(style));
  const Recording recording = read_recording(file, {});
  fs::remove(file);
  return analyse(recording);
}

HumanTrial find_trial(const Scenario& scenario, RisePlan& plan) {
  const std::string& given = scenario.plan.demonstration;
  if (!given.empty() && fs::is_directory(given)) return read_trial(given);
  plan.person.emplace(given.empty() ? analyse_demonstrator(scenario.plan.style) : analyse(read_recording(given, {})));
  return plan.person->trial();
}

void require_plates_agree(const Scenario& scenario, const HumanTrial& trial) {
  if (trial.plates_agree) return;
  throw FileError(scenario.place("plan.demonstration"),
                  fmt::format("plan.demonstration: the force plates contradict the model of the person ({}); "
                              "`aplomb human` shows where",
                              trial.verdict));
}

RobotModel believed_model(const Scenario& scenario, RisePlan& plan) {
  std::vector<std::string>& notes = plan.notes;
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
  plan.identified = scenario.rise_plan->identified;
  if (!plan.identified) {
    plan.identified = std::make_shared<const IdentifiedRobot>(
        identify_robot(robot, std::move(cad), static_cast<std::uint64_t>(scenario.plan.seed)));
  }
  return with_body_inertias(*plan.identified->cad, plan.identified->found.body_inertias);
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
  const auto has = [&plan](std::string_view name) {
    return std::ranges::find(plan.contacts.contacts, name, &ContactPlan::Contact::name) != plan.contacts.contacts.end();
  };
  if (has("seat") || !scenario.believed_world.chair) return;
  throw FileError(scenario.place("reference.trajectory.folder"),
                  "reference.trajectory: its contacts.yaml has no contact 'seat', and the scenario has a chair: nobody "
                  "would know when the seat is left; plan the rise with `aplomb retarget`");
}

/// A plan that asks for more than a joint has is followed as far as that goes: said before the robot falls.
void note_torque(const Scenario& scenario, RisePlan& plan) {
  const std::vector<Joint>& joints = plan.believed->joints();
  const Eigen::MatrixXd torque = planned_torque(*plan.believed, *plan.motion, scenario.plan.speed);
  double worst = 1.0;
  std::size_t which = joints.size();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double ratio = torque.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() / joints[i].effort;
    if (!std::isfinite(joints[i].effort) || !(ratio > worst)) continue;
    worst = ratio;
    which = i;
  }
  if (which == joints.size()) return;
  plan.notes.push_back(
      fmt::format("The plan needs {:.1f} times the {:.3g} N m that joint {} has: it cannot be followed there.", worst,
                  joints[which].effort, joints[which].name));
}

std::shared_ptr<const RisePlan> make(const Scenario& scenario) {
  auto plan = std::make_shared<RisePlan>();
  plan->believed.emplace(believed_model(scenario, *plan));
  if (!scenario.plan.trajectory.empty()) {
    plan->motion = std::make_shared<MotionPlan>(read_plan(scenario.plan.trajectory));
    require_for(scenario, *plan->motion, *plan->believed);
    return plan;
  }
  RetargetOptions options;
  options.rise = static_cast<std::size_t>(scenario.plan.rise - 1);
  const std::optional<Chair>& chair = scenario.believed_world.chair;
  if (chair) options.chair_height = chair->height;
  options.has_arm_rests = chair && chair->has_arm_rests;
  const HumanTrial trial = find_trial(scenario, *plan);
  require_plates_agree(scenario, trial);
  plan->made.emplace(retarget(trial, *plan->believed, options));
  plan->motion = std::make_shared<MotionPlan>(MotionPlan{plan->made->trajectory, plan->made->contacts});
  plan->notes.insert(plan->notes.end(), plan->made->notes.begin(), plan->made->notes.end());
  note_torque(scenario, *plan);
  return plan;
}

}  // namespace

IdentifiedRobot identify_robot(const RobotModel& robot, RobotModel cad, std::uint64_t seed) {
  const Log postures = make_example(robot, {.seed = seed}, [](double) {});
  return identify(postures, std::move(cad), {}, "88 postures in simulation");
}

C3dFile demonstrated_recording(const std::string& style) {
  DemonstratorOptions options;
  options.style = style;
  return record(demonstrate(options), {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d;
}

std::shared_ptr<const RisePlan> rise_plan_of(const Scenario& scenario) {
  if (!scenario.plan.is_asked) return nullptr;
  const std::lock_guard lock(scenario.rise_plan->mutex);
  if (!scenario.rise_plan->plan) scenario.rise_plan->plan = make(scenario);
  return scenario.rise_plan->plan;
}

}  // namespace aplomb
