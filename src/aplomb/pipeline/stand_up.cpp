#include "aplomb/pipeline/stand_up.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/run/com_by_masses.hpp"
#include "aplomb/run/start.hpp"

namespace aplomb {
namespace {

/// A pointer to a model that somebody else owns.
std::shared_ptr<const RobotModel> borrowed(const RobotModel& model) { return {std::shared_ptr<void>(), &model}; }

}  // namespace

RunResult stand_up(const RobotModel& robot, const RobotModel& believed, const MotionPlan& plan,
                   const StandUpOptions& options) {
  if (!std::ranges::equal(plan.trajectory.joints, robot.joints(), {}, {}, &Joint::name)) {
    throw InvalidValue(fmt::format("the plan was made for robot {} with {} joints, and this is {} with {}",
                                   plan.trajectory.robot, plan.trajectory.joints.size(), robot.name(),
                                   robot.num_joints()));
  }
  RunSetup setup;
  setup.robot = borrowed(robot);
  setup.believed = borrowed(believed);
  setup.plan = std::make_shared<const MotionPlan>(plan);
  World world;
  world.chair = chair_of(plan);
  if (options.world) world = *options.world;
  Start start = make_start({}, world, robot, &plan);
  setup.start = std::move(start.state);
  setup.world = std::move(start.world);
  setup.sensors = options.sensors;
  setup.plan_speed = options.speed;
  setup.plan_start_s = options.start_s;
  const double plan_s = plan.trajectory.end_s() - plan.trajectory.start_s;
  setup.duration_s = options.start_s + plan_s / options.speed + options.hold_s;
  setup.seed = options.seed;
  if (std::string note = torque_note(believed, plan, options.speed); !note.empty()) {
    setup.notes.push_back(std::move(note));
  }

  std::array<double, 2> friction{};
  for (int side : {kLeft, kRight}) {
    const Support* support = world.support_of(side);
    friction[side] = support != nullptr ? support->friction : world.floor.friction;
  }
  const ControllerContext context{.model = believed,
                                  .start = setup.start,
                                  .plan = {setup.plan, options.speed, options.start_s},
                                  .com_reference = make_com_reference({}, believed, setup.start),
                                  .ground_friction = friction,
                                  .tasks = [] { return std::vector<TaskSpec>(); },
                                  .place = [](std::string_view key) { return Place{std::string(key)}; },
                                  .settings = default_controller_settings(),
                                  .notes = setup.notes};
  const std::unique_ptr<Controller> controller = find_controller_kind(options.controller).make(context);
  RunResult result = run(setup, *controller, options.on_progress);
  if (robot.has_cad()) add_com_by_masses(result, believed, robot.cad());
  result.result.scenario = "stand_up";
  judge_run(result, {{.metric = "stood_up", .rule = Check::Rule::equals, .bound = true},
                     {.metric = "fell", .rule = Check::Rule::equals, .bound = false}});
  return result;
}

}  // namespace aplomb
