#include "aplomb/scenario/setup/make_controller.hpp"

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/run/start.hpp"
#include "aplomb/scenario/keys/task_keys.hpp"

namespace aplomb {
namespace {

double believed_friction(const World& world, int side) {
  const Support* support = world.support_of(side);
  return support != nullptr ? support->friction : world.floor.friction;
}

std::vector<BelievedWall> believed_walls(World world, const RobotModel& model, const RobotState& start) {
  place_walls(world, model, start);
  std::vector<BelievedWall> walls;
  for (const Wall& wall : world.walls) walls.push_back({wall.position, wall.normal, wall.surface.friction});
  return walls;
}

}  // namespace

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const RobotModel& model, const RobotState& start,
                                            std::vector<std::string>& notes,
                                            const std::shared_ptr<const MotionPlan>& plan) {
  const ControllerRequest& request = scenario.controller;
  const double height = com_height(model, start);
  const ControllerContext context{.model = model,
                                  .start = start,
                                  .gain_scale = request.gain_scale,
                                  .plan = {plan, scenario.plan.speed, scenario.plan.start_s},
                                  .com_reference = make_com_reference(scenario.com_reference, model, start),
                                  .steps = make_steps(scenario.com_reference.steps, height),
                                  .hands = scenario.hand_forces,
                                  .walls = believed_walls(scenario.believed_world, model, start),
                                  .ground_friction = {believed_friction(scenario.believed_world, kLeft),
                                                      believed_friction(scenario.believed_world, kRight)},
                                  .tasks = [&] { return fit_tasks(request.tasks, model, height, notes); },
                                  .place = [&](std::string_view key) { return scenario.place(key); },
                                  .settings = request.settings,
                                  .notes = notes};
  return find_controller_kind(request.kind).make(context);
}

}  // namespace aplomb
