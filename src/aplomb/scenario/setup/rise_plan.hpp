#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/postures.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// A robot's rise as it was planned, and what the planner believed.
struct RisePlan {
  std::shared_ptr<const MotionPlan> motion;
  std::optional<TrialAnalysis> person;                ///< absent when the demonstration was analysed before
  std::shared_ptr<const IdentifiedRobot> identified;  ///< nullptr when other masses are believed in
  std::optional<RobotModel> believed;                 ///< whose masses plan and controller believe in
  std::optional<Retargeted> made;                     ///< the whole of it; absent for a plan from a file
  std::vector<std::string> notes;
};

/// A plan that many runs of a scenario share: made by the first that asks.
struct RisePlanStore {
  std::mutex mutex;
  std::shared_ptr<const RisePlan> plan;
  std::shared_ptr<const IdentifiedRobot> identified;  ///< of the same robot, when it was identified before
};

/// The plan that a scenario asks for: the demonstrator or a recording → the person's centre of mass → the robot's
/// masses → the retargeted rise. The planner believes in the scenario file's chair, not in what --set or vary make of
/// it. nullptr when the scenario asks for none. Throws FileError, InvalidValue.
std::shared_ptr<const RisePlan> rise_plan_of(const Scenario& scenario);

/// The postures are held in simulation.
IdentifiedRobot identify_robot(const RobotModel& robot, RobotModel cad, std::uint64_t seed);

/// A rise of the built-in demonstrator as a laboratory would record it.
C3dFile demonstrated_recording(const std::string& style);

}  // namespace aplomb
