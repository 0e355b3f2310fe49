#pragma once

#include <functional>
#include <optional>
#include <string>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/run/run.hpp"

namespace aplomb {

/// How a rise is executed in simulation.
struct StandUpOptions {
  std::string controller = "inverse_dynamics";  ///< kind of controller (`aplomb list`), with its default settings
  std::optional<World> world;                   ///< absent: a level floor, and the chair that the plan was made for
  SensorSuite::Settings sensors{};              ///< default: ideal
  double speed = 1.0;                           ///< of the plan's clock
  double start_s = 1.0;                         ///< the robot sits still before
  double hold_s = 3.0;                          ///< the robot shall stand still after the plan's end; judged after 2 s
  std::int64_t seed = 1;
  std::function<void(double time_s)> on_progress{};
};

/// Executes a planned rise: `robot` is simulated, `believed` is what plan and controller know of it. The result has
/// the metrics of a rise (docs/metrics.md, "Sit to stand") and is judged: the robot has stood up and has not fallen.
/// Both models must outlive the result. Throws InvalidValue when plan and robot do not fit.
RunResult stand_up(const RobotModel& robot, const RobotModel& believed, const MotionPlan& plan,
                   const StandUpOptions& options = {});

}  // namespace aplomb
