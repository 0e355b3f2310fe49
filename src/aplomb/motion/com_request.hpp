#pragma once

#include <vector>

#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/motion/step_plan.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A step whose lengths are in metres or relative to the CoM's height.
struct StepRequest {
  FootStep step;
  bool is_step_per_height = false, is_lift_per_height = false;
};

/// Request for a CoM reference, independent of the robot; make_com_reference() applies it to a robot and its start.
struct ComRequest {
  enum class Kind { hold, feet_midpoint, sine, points, targets };
  Kind kind = Kind::hold;
  int axis = 2;
  FadedSine sine;
  bool is_per_com_height = false;  ///< the sine's amplitude is relative to the CoM's height
  double begin_s = 0.0;
  std::vector<ComReference::Point> points;  ///< points of the path, or step targets of the filter
  double trajectory_time_s = 1.0;           ///< trajectory time T of the filter, for step targets
  bool is_height_free = false;
  std::vector<StepRequest> steps;  ///< footsteps; with kind `hold` the CoM moves with them
};

/// Height of the CoM above the mid-point of the soles [m].
double com_height(const RobotModel& robot, const RobotState& start);

std::vector<FootStep> make_steps(const std::vector<StepRequest>& requests, double com_height);  ///< lengths in metres

/// The footsteps of a request; without any, both feet stay in place.
StepPlan make_step_plan(const ComRequest& request, const RobotModel& robot, const RobotState& start);

/// The CoM reference for a robot that starts in `start`; with steps and kind `hold`, StepPlan::com_points().
ComReference make_com_reference(const ComRequest& request, const RobotModel& robot, const RobotState& start);

}  // namespace aplomb
