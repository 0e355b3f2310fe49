#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/motion/trajectory_file.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// A robot's rise as it was planned, and what the planner believed.
struct RisePlan {
  std::shared_ptr<const MotionPlan> motion;
  std::optional<RobotModel> believed;  ///< whose masses plan and controller believe in
  std::optional<Retargeted> made;      ///< the whole of it; absent for a plan from a file
  std::vector<std::string> notes;
};

/// A plan that many runs of a scenario share: made by the first that asks.
struct RisePlanStore {
  std::mutex mutex;
  std::shared_ptr<const RisePlan> plan;
};

/// The plan that a scenario asks for: the demonstrator or a recording → the person's centre of mass → the robot's
/// masses → the retargeted rise. The planner believes in the scenario file's chair, not in what --set or vary make of
/// it. nullptr when the scenario asks for none. Throws FileError, InvalidValue.
std::shared_ptr<const RisePlan> rise_plan_of(const Scenario& scenario);

/// The masses of a robot that is known by its CAD, from 88 postures held in simulation (docs/identification.md).
RobotModel identified_model(const RobotModel& robot, const RobotModel& cad, std::uint64_t seed);

}  // namespace aplomb
