#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/sim/drive_errors.hpp"
#include "aplomb/sim/sensors.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// One simulated experiment, fitted to its robot: who stands where, what happens, what is sensed, what is asked for.
struct RunSetup {
  std::shared_ptr<const RobotModel> robot;     ///< as simulated
  std::shared_ptr<const RobotModel> believed;  ///< as planner and controller know it
  RobotState start;
  World world;
  SimulationEvents events;
  SensorSuite::Settings sensors;
  std::vector<SensorFault> sensor_faults;
  double drive_delay_s = 0.0;
  DriveErrors drive_errors;
  bool has_failsafe = false;  ///< the failsafe ladder is around the controller

  ComRequest com;                          ///< CoM reference and footsteps that the metrics compare with
  HandForces hand_forces;                  ///< likewise
  std::shared_ptr<const MotionPlan> plan;  ///< motion to follow; nullptr: the start posture is held
  double plan_speed = 1.0;
  double plan_start_s = 1.0;      ///< when the plan begins, in the run's time
  Metrics plan_metrics;           ///< of the planner, repeated among the metrics of the run
  std::string payload_link;       ///< link whose payload is estimated during the run; empty: none
  bool has_task_metrics = false;  ///< ZMP error, settling and feet metrics (docs/metrics.md, "Task priority")

  double duration_s = 0.0;
  std::int64_t seed = 1;
  std::vector<Fault> world_faults;  ///< differences between the world and what is believed of it
  std::vector<std::string> notes;
};

/// Everything that one run leaves behind; `present/` makes a report of it, `report/` writes that.
struct RunResult {
  Result result;
  Log log;
  std::vector<std::string> signals;  ///< columns of the log that the controller logged (Controller::signals)
  std::vector<std::string> notes;    ///< for the reader of the report
  RunSetup setup;                    ///< what was run
};

/// Simulates `setup` under `controller` until its end, a fall, or a value that is not finite. Every 0.1 s of simulated
/// time `on_progress` gets that time and `on_rows` the log so far. The result has no checks yet: see `judge_run`.
/// Throws Interrupted on Ctrl-C.
RunResult run(const RunSetup& setup, Controller& controller, const std::function<void(double time_s)>& on_progress = {},
              const std::function<void(const Log&)>& on_rows = {});

/// Adds the outcomes of `checks` to the run's result, then of those that every run must pass and on whose metric
/// `checks` has none: no fall, no simulator warnings, no failed solves, no values that are not finite; for a rise from
/// a seat also those of `rise_checks`, of the way onto one those of `sit_down_checks`.
void judge_run(RunResult& run, const std::vector<Check>& checks);

}  // namespace aplomb
