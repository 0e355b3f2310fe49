#include "aplomb/scenario/setup/make_controller.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/rise_control.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/scenario/setup/start.hpp"

namespace aplomb {
namespace {

double believed_friction(const Scenario& scenario, int side) {
  const Support* support = scenario.believed_world.support_of(side);
  return support != nullptr ? support->friction : scenario.believed_world.floor.friction;
}

std::vector<Wall> believed_walls(const Scenario& scenario, const RobotModel& model, const RobotState& start) {
  World world = scenario.believed_world;
  place_walls(world, model, start);
  return world.walls;
}

/// The wall that is nearest to a hand at the start.
std::optional<Wall> wall_of(const std::vector<Wall>& walls, const RobotModel& model, const RobotState& start,
                            Side side) {
  const std::string& hand = model.description().roles.hand[side];
  if (hand.empty() || walls.empty()) return std::nullopt;
  RobotTerms terms(model, std::vector<FrameId>{model.frame(hand)});
  terms.update(start);
  const Eigen::Vector3d at = terms.frame(model.frame(hand)).T_world_frame.translation();
  const auto distance = [&](const Wall& wall) { return std::abs(wall.normal.dot(at - wall.position)); };
  return *std::ranges::min_element(walls, {}, distance);
}

std::unique_ptr<Controller> make_partial_force(const Scenario& scenario, const RobotModel& model,
                                               const RobotState& start) {
  const PartialForceRequest& request = scenario.controller.partial_force;
  PartialForce::Settings settings{.law = request.law,
                                  .gains = request.gains,
                                  .posture_gains = request.posture_gains,
                                  .gain_scale = scenario.controller.gain_scale,
                                  .com_reference = make_com_reference(scenario.com_reference, model, start)};
  const std::vector<Wall> walls = believed_walls(scenario, model, start);
  const std::vector<FootStep> steps = make_steps(scenario.com_reference.steps, com_height(model, start));
  settings.level_changes = request.level_changes;
  settings.level_ramp = request.level_ramp;
  for (Side side : {kLeft, kRight}) {
    settings.feet[side] = {.friction = believed_friction(scenario, side),
                           .ramp_s = request.contact_ramp_s,
                           .load_rate = request.contact_load_rate,
                           .shape = request.foot_shape};
    std::ranges::copy_if(steps, std::back_inserter(settings.feet[side].steps),
                         [side](const FootStep& step) { return step.foot == side; });
    if (!scenario.hand_forces[side]) continue;
    const std::optional<Wall> wall = wall_of(walls, model, start, side);
    if (!wall) {
      throw FileError(scenario.place("reference.hands"),
                      "reference.hands: there is no wall (world.walls) or no such hand to press against it with");
    }
    settings.hands[side] = {.wall_point = wall->position,
                            .normal = wall->normal,
                            .friction = wall->surface.friction,
                            .force = *scenario.hand_forces[side],
                            .has_feedback = request.has_force_feedback};
  }
  return std::make_unique<PartialForce>(model, start, settings);
}

MomentumBalance::Settings momentum_settings(const Scenario& scenario, const RobotModel& model, const RobotState& start,
                                            const PlanReference& plan) {
  const MomentumBalanceRequest& request = scenario.controller.momentum_balance;
  MomentumBalance::Settings settings{
      .mode = request.mode,
      .gain_scale = scenario.controller.gain_scale,
      .com_damping = request.com_damping,
      .com_stiffness = request.com_stiffness,
      .angular_damping = request.angular_damping,
      .com_reference = make_com_reference(scenario.com_reference, model, start),
      .contacts = {.friction = {believed_friction(scenario, kLeft), believed_friction(scenario, kRight)},
                   .ramp_s = request.contact_ramp_s},
      .plan = plan};
  for (const Wall& wall : believed_walls(scenario, model, start)) {
    settings.contacts.planes.push_back({wall.position, wall.normal, wall.surface.friction});
  }
  return settings;
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
                             .torque_scale = request.torque_scale,
                             .joint_acceleration = request.joint_acceleration});
}

}  // namespace

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const RobotModel& model, const RobotState& start,
                                            std::vector<std::string>& notes,
                                            const std::shared_ptr<const MotionPlan>& plan) {
  const ControllerRequest& request = scenario.controller;
  const PlanReference to_follow{plan, scenario.plan.speed, scenario.plan.start_s};
  JointPd::Settings joints{.gain_scale = request.gain_scale, .plan = to_follow, .feeds_forward = request.feeds_forward};
  if (request.kind == "joint_pd") return std::make_unique<JointPd>(model, start, joints);
  if (request.kind == "partial_force") return make_partial_force(scenario, model, start);
  if (request.kind == "task_priority") return make_task_priority(scenario, model, start, notes);
  const MomentumBalance::Settings momentum = momentum_settings(scenario, model, start, to_follow);
  if (request.kind == "inverse_dynamics" && plan) {
    joints.feeds_forward = joints.finds_chair = true;
    if (model.description().actuation.kind == Actuation::Kind::servo) {
      notes.push_back("inverse_dynamics: the joints of robot " + model.name() +
                      " are position-controlled; they follow the plan to its end as on the seat, without the momentum "
                      "balance, which commands torques");
      return std::make_unique<JointPd>(model, start, joints);
    }
    return std::make_unique<RiseControl>(model, start, joints, momentum);
  }
  if (request.kind == "momentum_balance" || request.kind == "inverse_dynamics") {
    return std::make_unique<MomentumBalance>(model, start, momentum);
  }
  throw UnknownName("controller", request.kind, "`aplomb list`", controller_kinds());
}

}  // namespace aplomb
