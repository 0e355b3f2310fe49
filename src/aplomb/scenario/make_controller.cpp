#include "aplomb/scenario/make_controller.hpp"

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

double believed_friction(const Scenario& scenario, int side) {
  const Support* support = scenario.believed_world.support_of(side);
  return support != nullptr ? support->friction : scenario.believed_world.floor.friction;
}

std::unique_ptr<Controller> make_momentum_balance(const Scenario& scenario, const RobotModel& model,
                                                  const RobotState& start) {
  const MomentumBalanceRequest& request = scenario.controller.momentum_balance;
  MomentumBalance::Settings settings{
      .mode = request.mode,
      .gain_scale = scenario.controller.gain_scale,
      .com_damping = request.com_damping,
      .com_stiffness = request.com_stiffness,
      .angular_damping = request.angular_damping,
      .com_reference = make_com_reference(scenario.com_reference, model, start),
      .contacts = {.friction = {believed_friction(scenario, kLeft), believed_friction(scenario, kRight)},
                   .ramp_s = request.contact_ramp_s}};
  for (const Wall& wall : scenario.believed_world.walls) {
    settings.contacts.planes.push_back({wall.position, wall.normal, wall.surface.friction});
  }
  return std::make_unique<MomentumBalance>(model, start, settings);
}

std::unique_ptr<Controller> make_task_priority(const Scenario& scenario, const RobotModel& model,
                                               const RobotState& start, std::vector<std::string>& notes) {
  const TaskPriorityRequest& request = scenario.controller.task_priority;
  return std::make_unique<TaskPriority>(
      model, start,
      TaskPriority::Settings{.com_reference = make_com_reference(scenario.com_reference, model, start),
                             .steps = make_step_plan(scenario.com_reference, model, start),
                             .tasks = fit_tasks(request, model, com_height(model, start), notes),
                             .is_trunk_upright = request.is_trunk_upright,
                             .has_zmp_feedback = request.has_zmp_feedback,
                             .zmp_error = request.zmp_error,
                             .zmp_kp = request.zmp_kp,
                             .zmp_kd_s = request.zmp_kd_s,
                             .zmp_bandwidth = request.zmp_bandwidth,
                             .gain_scale = scenario.controller.gain_scale,
                             .comfort = request.comfort,
                             .comfort_gain = request.comfort_gain,
                             .joint_margin = request.joint_margin,
                             .joint_acceleration = request.joint_acceleration});
}

}  // namespace

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const RobotModel& model, const RobotState& start,
                                            std::vector<std::string>& notes) {
  const ControllerRequest& request = scenario.controller;
  if (request.kind == "joint_pd") {
    return std::make_unique<JointPd>(model, start, JointPd::Settings{.gain_scale = request.gain_scale});
  }
  if (request.kind == "momentum_balance") return make_momentum_balance(scenario, model, start);
  if (request.kind == "task_priority") return make_task_priority(scenario, model, start, notes);
  throw UnknownName("controller", request.kind, "`aplomb list`", controller_kinds());
}

}  // namespace aplomb
