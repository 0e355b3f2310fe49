#pragma once

#include <memory>

#include "aplomb/control/controller.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Constructs the controller of a scenario with `model` as its robot model, `start` as the posture to hold, or `plan`
/// as the motion to follow. `model` must outlive it. Adds remarks for the report to `notes`, e.g. about replaced roles.
/// Throws Error when robot and controller do not fit.
std::unique_ptr<Controller> make_controller(const Scenario& scenario, const RobotModel& model, const RobotState& start,
                                            std::vector<std::string>& notes,
                                            const std::shared_ptr<const MotionPlan>& plan = nullptr);

}  // namespace aplomb
