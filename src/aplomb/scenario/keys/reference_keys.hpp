#pragma once

#include <optional>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/step_plan.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/keys/step_keys.hpp"

namespace aplomb {

/// What a scenario asks of the CoM; where that is depends on the robot and its start.
struct ComRequest {
  enum class Kind { hold, feet_midpoint, sine, points, targets };
  Kind kind = Kind::hold;
  int axis = 2;
  FadedSine sine;
  bool is_per_com_height = false;  ///< the sine's amplitude is in heights of the CoM
  double begin_s = 0.0;
  std::vector<ComReference::Point> points;  ///< or targets
  double trajectory_time_s = 1.0;           ///< of the filter that follows targets
  bool is_height_free = false;
  std::vector<StepRequest> steps;  ///< of the feet; the CoM goes with them when it shall hold
};

Schema reference_schema();  ///< of the key `reference`
ComRequest read_com_reference(const YamlView& reference);

/// Height of the CoM above the middle of the soles [m].
double com_height(const RobotModel& robot, const RobotState& start);

/// Where the feet shall go; both stay when no steps are asked for.
StepPlan make_step_plan(const ComRequest& request, const RobotModel& robot, const RobotState& start);

/// The reference for a robot that begins in `start`; with steps and nothing else, the way of the CoM that goes with
/// them.
ComReference make_com_reference(const ComRequest& request, const RobotModel& robot, const RobotState& start);

}  // namespace aplomb
