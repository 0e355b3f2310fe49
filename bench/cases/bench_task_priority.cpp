#include <memory>

#include "aplomb/control/task_priority.hpp"
#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/robot/configuration.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

/// A squat of HOAP-3 with ideal joints, which reach every command at once. Tasks: feet, CoM, trunk and posture.
struct Squat {
  Squat()
      : robot(RobotModel::load("hoap3")), start(robot.posture("half_sitting")), controller(robot, start, settings()) {
    readings.state = start;
    for (auto& cells : readings.load_cells) cells.fill(robot.mass() * kGravity / 8.0);
  }

  TaskPriority::Settings settings() const {
    RobotTerms terms(robot, {});
    terms.update(start);
    const FadedSine sine{.amplitude = 0.01, .period_s = 2.0, .ramp_s = 2.0};
    return {.com_reference = ComReference::sine(terms.com(), 2, sine, 0.0)};
  }

  void step() {
    readings.time_s += 1e-3;
    controller.step(readings);
    joint_positions(readings.state.q) = controller.kinematics().joints();
  }

  RobotModel robot;
  RobotState start;
  TaskPriority controller;
  SensorReadings readings;
};

}  // namespace

void add_task_priority(std::vector<BenchCase>& cases) {
  const auto squat = std::make_shared<Squat>();
  cases.push_back({"cycle_task_priority", [squat] { squat->step(); }});
}

}  // namespace aplomb
