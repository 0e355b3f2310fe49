#pragma once

#include <functional>
#include <memory>

#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/run/run.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Runs a scenario to its end, or until the robot has fallen, and judges it by the scenario's checks. `on_progress`
/// gets the simulated time now and then. Runs that share a `planner` share robots and plans; without one each run makes
/// its own. Throws Error when scenario and robot do not fit together, Interrupted on Ctrl-C.
RunResult run_scenario(const Scenario& scenario, const std::function<void(double time_s)>& on_progress = {},
                       RisePlanner* planner = nullptr);

/// The scenario fitted to its robot, before anything runs.
RunSetup make_setup(const Scenario& scenario, RisePlanner& planner);

/// The scenario's controller, as run_scenario makes it, for `setup` = make_setup(scenario, ...): to step it in a loop
/// of one's own. `setup` must outlive it, and gets the controller's notes. Throws Error when robot and controller do
/// not fit.
std::unique_ptr<Controller> make_controller(const Scenario& scenario, RunSetup& setup);

/// The plan that a scenario asks for, nullptr when it asks for none. The planner believes in the scenario file's chair,
/// not in what --set or vary make of it. Throws FileError, InvalidValue.
std::shared_ptr<const RisePlan> plan_rise(const Scenario& scenario, RisePlanner& planner);

// Start posture and world of a scenario (run/start.hpp); errors name the file and line.
void check_start(const Scenario& scenario, const RobotModel& robot);
Start make_start(const Scenario& scenario, const RobotModel& robot, const MotionPlan* plan = nullptr);

}  // namespace aplomb
