#pragma once

#include <Eigen/Core>
#include <any>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// A wall as the controller assumes it to be.
struct BelievedWall {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< a point of its surface, world frame [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();   ///< unit length, towards the robot
  double friction = 0.8;                               ///< Coulomb coefficient
};

/// Everything that a scenario provides to the controller of one run. A controller uses what it needs and ignores the
/// rest, so that one scenario runs under every controller.
struct ControllerContext {
  const RobotModel& model;  ///< the robot as the controller models it; must outlive the controller
  RobotState start;         ///< state at time 0; its posture is the one to hold
  double gain_scale = 1.0;  ///< `controller.gain_scale`, a factor for the feedback gains
  PlanReference plan;
  ComReference com_reference;
  std::vector<FootStep> steps;                      ///< in order of time
  HandForces hands;                                 ///< desired contact forces
  std::vector<BelievedWall> walls;                  ///< in the order of `world.walls`
  std::array<double, 2> ground_friction{0.8, 0.8};  ///< assumed Coulomb coefficient under the left and right foot
  /// `controller.tasks`, fitted to the robot; throws FileError on a link that the robot does not have.
  std::function<std::vector<TaskSpec>()> tasks;
  std::function<Place(std::string_view key)> place;  ///< file and line of a key of the scenario, for errors
  std::map<std::string, std::any> settings;          ///< settings block of every kind of controller, by kind
  std::vector<std::string>& notes;                   ///< sentences for the reader of the report

  /// The block `controller.KIND`; `S` is the type that the kind was registered with.
  template <typename S>
  const S& settings_of(const std::string& kind) const {
    return std::any_cast<const S&>(settings.at(kind));
  }
};

}  // namespace aplomb
