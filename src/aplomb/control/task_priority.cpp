#include "aplomb/control/task_priority.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/joints/joint_bounds.hpp"
#include "aplomb/control/joints/servo_gains.hpp"
#include "aplomb/control/joints/straight_legs.hpp"
#include "aplomb/control/task_priority/comfort_posture.hpp"
#include "aplomb/control/task_priority/drive_loads.hpp"
#include "aplomb/control/task_priority/reference_governor.hpp"
#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/control/task_priority/standing_support.hpp"
#include "aplomb/control/task_priority/task_priority_report.hpp"
#include "aplomb/control/task_priority/task_stack.hpp"
#include "aplomb/control/task_priority/zmp_regulator.hpp"
#include "aplomb/control/tasks/com_task.hpp"
#include "aplomb/control/tasks/make_task.hpp"
#include "aplomb/control/tasks/pose_task.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb {
namespace {

// [1/s] rate at which a pose error of the feet decays. Tuned: three times the CoM's, since fast joints turn the feet by
// more than J q̇ dt, an error of second order; unstable above 2/dt = 2000.
constexpr double kFeetRate = 150.0;
// Speed limit with which errors of CoM and feet are closed, over √(g h): twice the reference's, so that a CoM that
// was held back catches up. Tuned.
constexpr double kClosingSpeed = 0.3;
constexpr double kNoLimit = 1e9;        // [m/s], [rad/s]
constexpr double kFeetTurnSpeed = 2.0;  // [rad/s] speed limit with which rotation errors of the feet are closed. Tuned

Eigen::VectorXd joints_of(const RobotState& state) { return joint_positions(state.q); }

/// The settings that the paper's own law amounts to.
TaskPriority::Settings effective(TaskPriority::Settings settings) {
  if (!settings.as_printed) return settings;
  settings.tasks.clear();
  settings.is_trunk_upright = false;
  settings.zmp_error = TaskPriority::ZmpError::feet;
  settings.comfort = TaskPriority::Comfort::middle;
  settings.com_rate_per_s = 1.0 / kControlPeriod;
  return settings;
}

/// Speed limit with which errors of feet and CoM are closed; none as printed.
double closing_speed(const TaskPriority::Settings& settings, double height) {
  return settings.as_printed ? kNoLimit : kClosingSpeed * std::sqrt(kGravity * height);
}

/// The user's tasks, with a task for the trunk's orientation on a level above them.
std::vector<TaskSpec> with_trunk(const TaskPriority::Settings& settings, const RobotModel& model) {
  std::vector<TaskSpec> specs = settings.tasks;
  const Roles& roles = model.description().roles;
  if (!settings.is_trunk_upright) return specs;
  const std::string& trunk = !roles.trunk.empty() ? roles.trunk : model.tree().bodies.front().link;
  for (TaskSpec& spec : specs) {  // a task that turns the trunk replaces it
    if (spec.link != trunk || spec.kind == TaskSpec::Kind::position || spec.kind == TaskSpec::Kind::joint) continue;
    spec.level = 0;
    return specs;
  }
  specs.push_back({.kind = TaskSpec::Kind::orientation, .link = trunk, .level = 0});
  return specs;
}

}  // namespace

struct TaskPriority::Impl {
  Impl(const RobotModel& robot, const RobotState& start, const Settings& user_settings);

  const Command& step(const SensorReadings& readings);

  TaskStack make_stack(std::vector<TaskSpec> specs);
  void track_references(double time_s);
  void track_com(const SensorReadings& readings);
  bool solve(const SensorReadings& readings);
  void write_command();
  void record_tick(double time_s);

  const RobotModel* model;
  Settings settings;
  StandingKinematics kinematics;
  double height;  ///< height of the CoM above the soles at the start [m]
  ServoGains servo;
  JointBounds bounds;
  StandingSupport support;
  std::array<Eigen::Isometry3d, 2> start_feet;
  ComTask com_task;
  std::array<std::unique_ptr<PoseTask>, 2> foot_tasks;
  std::vector<std::unique_ptr<Task>> user_tasks;
  TaskStack stack;
  ComTarget com_target;
  ReferenceGovernor governor;
  ZmpRegulator regulator;
  ComfortPosture comfort;
  StaticTorque static_torque;
  DriveLoads drives;
  Eigen::VectorXd rates, increment;  ///< q̇ [rad/s], q̇ dt [rad]
  Command command;
  Fallbacks fallbacks;
  TaskPriorityReport report;
  TaskPriorityReport::Tick tick;
};

TaskPriority::Impl::Impl(const RobotModel& robot, const RobotState& start, const Settings& user_settings)
    : model(&robot),
      settings(effective(user_settings)),
      kinematics(robot, start, frames_of(with_trunk(settings, robot), robot)),
      height(std::max(kinematics.com().z() - kinematics.sole_centre(kRight).z(), 1e-2)),
      servo(ServoGains::for_robot(robot, start, height)),
      bounds(robot, joints_of(start), settings.joint_margin, settings.joint_acceleration),
      support(robot, kinematics),
      com_task({.rate_per_s = settings.com_rate_per_s, .speed = closing_speed(settings, height)}),
      stack(make_stack(with_trunk(settings, robot))),
      governor(robot, support, settings, kinematics.com(), height),
      regulator(robot, kinematics, support, servo, settings, height),
      comfort(robot, joints_of(start), settings.comfort, settings.comfort_gain),
      static_torque(robot),
      drives(robot, servo.stiffness, settings.torque_scale),
      rates(Eigen::VectorXd::Zero(robot.num_joints())),
      increment(robot.num_joints()),
      command(robot.num_joints()) {
  for (const StraightLeg& leg : straight_legs(robot, start)) {
    bounds.keep_bent(leg.joint, leg.angle, start.q[7 + leg.joint]);
  }
  command.stiffness = servo.stiffness;
  command.damping = servo.damping;
  command.position = kinematics.joints();
}

TaskStack TaskPriority::Impl::make_stack(std::vector<TaskSpec> specs) {
  for (int side : {kLeft, kRight}) {
    const double rate = settings.as_printed ? 1.0 / kControlPeriod : kFeetRate;
    const TaskGains move{.rate_per_s = rate, .speed = closing_speed(settings, height)};
    const TaskGains turn{.rate_per_s = rate, .speed = settings.as_printed ? kNoLimit : kFeetTurnSpeed};
    start_feet[side] = kinematics.pose(kinematics.foot(side));
    foot_tasks[side] = std::make_unique<PoseTask>(PoseTask::Part::pose, kinematics.foot(side), std::nullopt,
                                                  PoseReference{}, kinematics, move, turn, height);
  }
  std::vector<TaskStack::Level> levels;
  levels.push_back({.tasks = {{foot_tasks[kLeft].get(), 1.0}}, .rows = 6});
  levels.push_back({.tasks = {{&com_task, 1.0}}, .rows = 3});
  std::ranges::stable_sort(specs, {}, &TaskSpec::level);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (i == 0 || specs[i].level != specs[i - 1].level) levels.push_back({});
    user_tasks.push_back(make_task(specs[i], *model, kinematics, height));
    levels.back().tasks.emplace_back(user_tasks.back().get(), std::sqrt(specs[i].weight));
    levels.back().rows += user_tasks.back()->num_rows();
  }
  return {model->num_joints(), std::move(levels)};
}

const Command& TaskPriority::Impl::step(const SensorReadings& readings) {
  fallbacks.clear();
  track_references(readings.time_s);
  track_com(readings);
  comfort.update(kinematics.joints());
  if (solve(readings)) {
    increment = kControlPeriod * rates;
    kinematics.move(increment);
    command.status = CommandStatus::solved;
  } else {
    rates.setZero();
    command.status = CommandStatus::solve_failed;
  }
  write_command();
  record_tick(readings.time_s);
  return command;
}

void TaskPriority::Impl::track_references(double time_s) {
  const int side = settings.steps.reference_side(time_s, kinematics.reference_side());
  if (side != kinematics.reference_side()) kinematics.stand_on(side);
  const int other = 1 - side;
  StandingFeet feet;
  for (int i : {kLeft, kRight}) {
    const StepPlan::Foot planned = settings.steps.at(i, time_s);
    support.set_lifted(i, planned.is_lifted);
    feet.midpoint += 0.5 * kinematics.sole_centre(i);
    if (i != other) continue;
    Eigen::Isometry3d target = start_feet[i];
    target.translation() += planned.offset;
    foot_tasks[i]->track(target, planned.velocity);
  }
  stack.set_feet_task(*foot_tasks[other]);
  com_target = settings.com_reference.at(time_s, feet);
  governor.follow(
      com_target,
      {.rates = rates, .speed_limits = bounds.speed(), .drives = drives, .lost_authority = stack.lost_authority()});
}

/// The CoM task follows the governed reference, shifted by the ZMP feedback.
void TaskPriority::Impl::track_com(const SensorReadings& readings) {
  regulator.update(readings, governor.zmp(), drives.largest_spring_load(), fallbacks);
  if (settings.as_printed) {  // ε_CoM&ZMP = CoM_d − CoM + Kp ε_ZMP + Kd dε_ZMP/dt   (13)
    Eigen::Vector3d position = com_target.position;
    position.head<2>() += regulator.shift();
    com_task.track(position, Eigen::Vector3d::Zero());
    return;
  }
  Eigen::Vector3d position = governor.position();
  Eigen::Vector3d velocity = governor.velocity();
  position.head<2>() += regulator.shift();
  velocity.head<2>() += regulator.velocity();
  com_task.track(position, velocity);
  governor.limit_lead(kinematics.com(), regulator.shift());
}

bool TaskPriority::Impl::solve(const SensorReadings& readings) {
  const auto joints = kinematics.joints();
  bounds.update(joints, rates);
  const auto measured = joint_positions(readings.state.q);
  if (settings.as_printed) {
    bounds.remove();
    return stack.solve(kinematics, readings.time_s, bounds, comfort.rates(), rates);
  }
  if (!readings.lost(Sensor::joint_position) && measured.allFinite()) {
    drives.measure(joints, measured);
    bounds.keep_near(joints, measured, drives.largest_drift());
  } else {
    fallbacks.take(Sensor::joint_position,
                   "continues from the commanded angles, without comparing them with the measured ones");
  }
  if (!stack.solve(kinematics, readings.time_s, bounds, comfort.rates(), rates)) return false;
  tick.damped_levels = stack.num_damped_levels();
  tick.active_bounds = stack.num_active_bounds();
  return true;
}

void TaskPriority::Impl::write_command() {
  const double left = support.left_share(governor.zmp());
  const Eigen::VectorXd& torque = static_torque.compute(kinematics.terms(), {left, 1.0 - left});
  drives.hold(torque);
  command.position = kinematics.joints();
  if (!settings.as_printed) command.velocity = rates;
  if (model->description().actuation.kind == Actuation::Kind::servo) {
    // With this offset the servo torque τ = k (position − q) − d q̇ equals the static one at the commanded angle and
    // velocity.
    // The paper commands angles alone; the static deflection is the drives' affair, and removed there as well.
    if (!settings.as_printed) command.position += command.damping.cwiseProduct(rates).cwiseQuotient(command.stiffness);
    command.position += torque.cwiseQuotient(command.stiffness);
  } else {
    command.torque = torque;
  }
}

void TaskPriority::Impl::record_tick(double time_s) {
  tick.time_s = time_s;
  tick.zmp_reference = regulator.reference();
  tick.zmp_measured = regulator.measured();
  tick.com_shift = regulator.shift();
  tick.left_share = regulator.left_share();
  tick.gate = regulator.gate();
  tick.reference_lag = governor.lag();
  tick.com_lag = governor.com_lag();
  tick.is_jumping = governor.is_jumping();
  tick.is_out_of_reach = governor.is_out_of_reach();
  tick.has_yielded = governor.has_yielded();
  tick.drift = drives.drift();
  tick.reference_side = kinematics.reference_side();
  report.add(tick);
}

TaskPriority::TaskPriority(const RobotModel& model, const RobotState& start, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, start, settings)) {}

TaskPriority::~TaskPriority() = default;

const Command& TaskPriority::step(const SensorReadings& readings) { return impl_->step(readings); }

std::span<const Signal> TaskPriority::signals() const { return impl_->report.signals(); }

std::span<const Fallback> TaskPriority::fallbacks() const { return impl_->fallbacks.taken(); }

ControllerReport TaskPriority::report() const {
  ControllerReport report{.metrics = impl_->report.metrics()};
  impl_->regulator.add_faults(report.faults);
  impl_->report.add_faults(report.faults);
  return report;
}

const StandingKinematics& TaskPriority::kinematics() const { return impl_->kinematics; }
const HierarchyProblem& TaskPriority::problem() const { return impl_->stack.problem(); }
const HierarchySolution& TaskPriority::solution() const { return impl_->stack.solution(); }
const Eigen::VectorXd& TaskPriority::joint_rates() const { return impl_->rates; }
LoopMargins TaskPriority::zmp_margins() const { return impl_->regulator.margins(); }

ControllerKind TaskPriority::kind() {
  constexpr const char* kByRule = "from the CoM's height (docs/task_priority.md)";
  ControllerKind kind = ControllerKind::of(
      "task_priority", "joint increments from a strict hierarchy of tasks (Galdeano et al. 2014)",
      SettingsOf<Settings>()
          .add(&Settings::as_printed,
               schema::boolean("as_printed",
                               "the paper's own law: three levels, a PD law on the ZMP error, no bounds and no filter"))
          .add(&Settings::has_zmp_feedback,
               schema::boolean("zmp_feedback", "whether the measured ZMP shifts the CoM reference"))
          .add(&Settings::zmp_error,
               schema::choice("zmp_error", {"body", "feet"},
                              "ZMP error of the whole body, or of each foot weighted by its load as in the paper"),
               {ZmpError::body, ZmpError::feet})
          .add(&Settings::zmp_kp, schema::number("zmp_kp", "shift of the CoM over a constant ZMP error")
                                      .at_least(0)
                                      .at_most(100)
                                      .when_absent(kByRule))
          .add(&Settings::zmp_kd_s, schema::number("zmp_kd_s", "shift of the CoM over the rate of the ZMP error")
                                        .in("s")
                                        .at_least(-1)
                                        .at_most(1)
                                        .when_absent(kByRule))
          .add(&Settings::zmp_bandwidth, schema::number("zmp_bandwidth_rad_per_s", "bandwidth of the closed ZMP loop")
                                             .in("rad/s")
                                             .above(0)
                                             .at_most(1000)
                                             .when_absent(kByRule))
          .add(&Settings::is_trunk_upright,
               schema::boolean("trunk_upright",
                               "whether a level between the CoM and the tasks keeps the trunk's orientation"))
          .add(&Settings::comfort,
               schema::choice("comfort", {"start", "middle"},
                              "posture of the last level: the one at the start, or the middle of the joint ranges "
                              "as in the paper"),
               {Comfort::start, Comfort::middle})
          .add(&Settings::comfort_gain,
               schema::number("comfort_gain_rad2_per_s", "gain of the attraction to that posture")
                   .in("rad^2/s")
                   .at_least(0)
                   .at_most(100))
          .add(&Settings::joint_margin, schema::number("joint_margin_rad", "distance kept from the joint limits")
                                            .in("rad")
                                            .at_least(0)
                                            .at_most(1))
          .add(&Settings::torque_scale,
               schema::number("torque_scale", "factor by which the drives are taken to be stronger than their limits")
                   .above(0)
                   .at_most(100))
          .add(&Settings::joint_acceleration,
               schema::number("joint_acceleration_rad_per_s2", "acceleration limit of every joint")
                   .in("rad/s^2")
                   .above(0)
                   .at_most(1e5)
                   .when_absent("the joint's speed limit is reached in 0.2 s"))
          .add(&Settings::com_rate_per_s,
               schema::number("com_rate_per_s", "rate at which a CoM error decays").in("1/s").above(0).at_most(1000))
          .add(&Settings::com_speed,
               schema::number("com_speed", "speed limit of the CoM reference, over sqrt(g h)").above(0).at_most(10))
          .add(&Settings::com_acceleration,
               schema::number(
                   "com_acceleration",
                   "horizontal acceleration limit of the CoM reference, over l g / h with l the length of a sole")
                   .above(0)
                   .at_most(10))
          .add(&Settings::com_reach,
               schema::number("com_reach",
                              "factor that scales the soles of the support to which the CoM reference is clamped")
                   .above(0)
                   .at_most(1))
          .add(&Settings::com_shift,
               schema::number("com_shift",
                              "largest shift of the CoM by the ZMP feedback, over the half size of the support")
                   .at_least(0)
                   .at_most(1)),
      [](const ControllerContext& context, const Settings& keys) {
        Settings settings = keys;
        settings.com_reference = context.com_reference;
        settings.steps = StepPlan(context.steps);
        settings.tasks = context.tasks();
        settings.gain_scale = context.gain_scale;
        return std::make_unique<TaskPriority>(context.model, context.start, settings);
      });
  kind.regulates_zmp = true;
  return kind;
}

}  // namespace aplomb
