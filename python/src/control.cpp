#include "control.hpp"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/command.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/sim/simulation.hpp"
#include "plan.hpp"

namespace aplomb::python {
namespace {

constexpr std::array<const char*, 3> kStatusNames = {"solved", "reading_missing", "solve_failed"};

// Arrays over structs of doubles that follow each other without gaps.
static_assert(sizeof(Wrench) == 6 * sizeof(double));
static_assert(sizeof(std::array<Wrench, 2>) == 12 * sizeof(double));
static_assert(sizeof(std::array<Eigen::Vector3d, 2>) == 6 * sizeof(double));
static_assert(sizeof(std::array<Eigen::Vector2d, 2>) == 4 * sizeof(double));

SensorReadings readings_of(const RobotModel& model) {
  SensorReadings readings;
  readings.state = model.neutral_state();
  return readings;
}

std::size_t sensor_index(const std::string& name) {
  const auto found = std::ranges::find(kSensorNames, name);
  if (found == kSensorNames.end()) {
    throw UnknownName("sensor", name, "SensorReadings",
                      std::vector<std::string>(kSensorNames.begin(), kSensorNames.end()));
  }
  return static_cast<std::size_t>(found - kSensorNames.begin());
}

/// Throws InvalidValue unless the readings are of a robot of this size and its state is known.
void require_usable(const SensorReadings& readings, const RobotModel& model) {
  if (readings.state.q.size() != model.nq() || readings.state.v.size() != model.nv()) {
    throw InvalidValue(fmt::format("these readings are of a robot with {} joints; {} has {}",
                                   readings.state.q.size() - 7, model.name(), model.num_joints()));
  }
}

void require_fitting(const Command& command, const RobotModel& model) {
  if (command.torque.size() != model.num_joints()) {
    throw InvalidValue(fmt::format("this command is for {} joints; {} has {}", command.torque.size(), model.name(),
                                   model.num_joints()));
  }
  const auto require_finite = [](const Eigen::VectorXd& values, const char* name) {
    if (!values.allFinite()) throw InvalidValue(fmt::format("{} of the command is not finite", name));
  };
  require_finite(command.torque, "torque");
  require_finite(command.position, "position");
  require_finite(command.velocity, "velocity");
  require_finite(command.stiffness, "stiffness");
  require_finite(command.damping, "damping");
}

// ---- A controller written in Python
// -----------------------------------------------------------------------------------

struct PythonSettings {
  std::string class_name;
};

/// Controller classes by the name under which scenarios find them. It is never freed: it may outlive the interpreter.
nb::dict& classes() {
  static nb::dict* all = new nb::dict();
  return *all;
}

/// What a controller of Python is made from.
struct Context {
  Robot robot;
  Eigen::VectorXd start_q;
  double gain_scale = 1.0;
  Plan plan;
  double plan_speed = 1.0, plan_start_s = 0.0;
};

/// Calls a Python object's `step`. An exception of it ends the run and reaches the caller as it is.
class PythonController final : public Controller {
 public:
  PythonController(const ControllerContext& context, const PythonSettings& settings)
      : command_(context.model.num_joints()) {
    const nb::gil_scoped_acquire acquire;
    const nb::str name(settings.class_name.c_str());
    if (!classes().contains(name)) {
      throw InvalidValue(
          fmt::format("controller.python.class is '{}', which no program has registered; pass the class "
                      "to aplomb.run(..., controller=CLASS)",
                      settings.class_name));
    }
    Context made{.robot = {copy_of(context.model)},
                 .start_q = context.start.q,
                 .gain_scale = context.gain_scale,
                 .plan = {context.plan.plan},
                 .plan_speed = context.plan.speed,
                 .plan_start_s = context.plan.start_s};
    readings_ = nb::cast(readings_of(context.model));
    instance_ = classes()[name](nb::cast(std::move(made)));
    step_ = instance_.attr("step");
    signal_values_ = nb::getattr(instance_, "signals", nb::dict());
    for (const auto& key : signal_values_) signals_.push_back({nb::cast<std::string>(nb::str(key))});
  }

  ~PythonController() override {
    const nb::gil_scoped_acquire acquire;
    step_.reset();
    signal_values_.reset();
    instance_.reset();
    readings_.reset();
  }

  const Command& step(const SensorReadings& readings) override {
    const nb::gil_scoped_acquire acquire;
    nb::cast<SensorReadings&>(readings_) = readings;  // of the same sizes: the arrays that Python holds stay valid
    use(step_(readings_));
    for (Signal& signal : signals_) signal.value = nb::cast<double>(signal_values_[signal.name.c_str()]);
    return command_;
  }

  std::span<const Signal> signals() const override { return signals_; }

 private:
  void use(const nb::object& answer) {
    if (Command* command = nullptr; nb::try_cast(answer, command) && command != nullptr) {
      if (command->torque.size() != command_.torque.size()) {
        throw InvalidValue(fmt::format("step() returned a command for {} joints; the robot has {}",
                                       command->torque.size(), command_.torque.size()));
      }
      command_ = *command;
    } else if (answer.is_none()) {
      throw InvalidValue("step() returned None; it returns a Command, or the torque of every joint");
    } else {
      read_vector(answer, "the torque that step() returned", command_.torque);
    }
  }

  Command command_;
  nb::object readings_, instance_, step_, signal_values_;
  std::vector<Signal> signals_;
};

// ---- A controller of ours in a loop of Python's
// -------------------------------------------------------------------------

/// A scenario's setup with its own planner; what refers to it is kept alive by shared pointers.
struct Setup {
  Setup(const std::string& name, const std::vector<Override>& overrides)
      : scenario(load_scenario(name, overrides)), setup(make_setup(scenario, planner)) {}
  RisePlanner planner;
  Scenario scenario;
  RunSetup setup;
};

class OwnController {
 public:
  explicit OwnController(std::shared_ptr<Setup> setup)
      : setup_(std::move(setup)), controller_(make_controller(setup_->scenario, setup_->setup)) {}
  Command step(const SensorReadings& readings) {
    require_usable(readings, *setup_->setup.believed);
    return controller_->step(readings);
  }
  const Setup& setup() const { return *setup_; }
  std::span<const Signal> signals() const { return controller_->signals(); }

 private:
  std::shared_ptr<Setup> setup_;  ///< first, so that it is destroyed last
  std::unique_ptr<Controller> controller_;
};

class SimulatedRobot {
 public:
  explicit SimulatedRobot(std::shared_ptr<Setup> setup) : setup_(std::move(setup)) { reset(); }
  void reset() {
    simulation_ = std::make_unique<Simulation>(*setup_->setup.robot, setup_->setup.world, setup_->setup.events);
    simulation_->start(setup_->setup.start);
  }
  void step(const Command& command) {
    require_fitting(command, *setup_->setup.robot);
    simulation_->step(command);
  }
  SensorReadings read() const {
    SensorReadings readings = readings_of(*setup_->setup.robot);
    simulation_->read(readings);
    return readings;
  }
  const Simulation& operator*() const { return *simulation_; }
  const std::shared_ptr<Setup>& setup() const { return setup_; }

 private:
  std::shared_ptr<Setup> setup_;
  std::unique_ptr<Simulation> simulation_;
};

nb::object copied(const Eigen::VectorXd& vector) {
  return nb::module_::import_("numpy").attr("array")(view(vector, nb::none()));
}

void bind_readings(nb::module_& module) {
  using Self = nb::pointer_and_handle<SensorReadings>;
  nb::class_<SensorReadings>(
      module, "SensorReadings",
      "All measurements that a controller gets in one tick. Arrays are views: write into them to "
      "fill readings of one's own, copy what shall be kept beyond a tick.")
      .def(nb::new_([](const Robot& robot) { return readings_of(*robot.model); }), nb::arg("robot"),
           "Readings of a robot in its neutral posture, without forces.")
      .def_rw("time_s", &SensorReadings::time_s, "[s]")
      .def_prop_ro(
          "q",
          [](Self self) {
            return writable_view(self.p->state.q.data(), {static_cast<std::size_t>(self.p->state.q.size())}, self.h);
          },
          "(nq,): base position [m], quaternion (x, y, z, w), joints [rad].")
      .def_prop_ro(
          "v",
          [](Self self) {
            return writable_view(self.p->state.v.data(), {static_cast<std::size_t>(self.p->state.v.size())}, self.h);
          },
          "(nv,): base twist in its own axes [m/s, rad/s], joint rates [rad/s].")
      .def_prop_ro(
          "foot_wrench",
          [](Self self) {
            return writable_view(self.p->foot_wrench[0].force.data(), {2, 6}, self.h);
          },
          "Ground reaction on the left and the right foot, (2, 6): force, moment, in and about the foot's frame [N, N "
          "m].")
      .def_prop_ro(
          "hand_wrench",
          [](Self self) {
            return writable_view(self.p->hand_wrench[0].force.data(), {2, 6}, self.h);
          },
          "Contact wrench on each hand, (2, 6), in and about the hand's frame [N, N m].")
      .def_prop_ro(
          "seat_wrench", [](Self self) { return writable_view(self.p->seat_wrench.force.data(), {6}, self.h); },
          "Wrench of the chair on the robot, (6,): world axes, about the middle of the seat's front edge [N, N m].")
      .def_prop_ro(
          "load_cells",
          [](Self self) {
            return writable_view(self.p->load_cells[0].data(), {2, 4}, self.h);
          },
          "Normal force at each corner of the soles, (2, 4) [N].")
      .def_prop_ro(
          "imu_acceleration", [](Self self) { return writable_view(self.p->imu_acceleration.data(), {3}, self.h); },
          "Specific force of the pelvis in its axes, (3,) [m/s²].")
      .def_prop_ro(
          "imu_angular_velocity",
          [](Self self) { return writable_view(self.p->imu_angular_velocity.data(), {3}, self.h); },
          "Of the pelvis in its axes, (3,) [rad/s].")
      .def(
          "is_lost",
          [](const SensorReadings& self, const std::string& name) { return self.is_lost[sensor_index(name)]; },
          nb::arg("sensor"), "Whether a sensor ('left_foot_wrench') is not fitted or reported as lost; it reads zero.")
      .def(
          "set_lost",
          [](SensorReadings& self, const std::string& name, bool lost) { self.is_lost[sensor_index(name)] = lost; },
          nb::arg("sensor"), nb::arg("lost"));
}

void bind_command(nb::module_& module) {
  nb::class_<Command> command(
      module, "Command",
      "Joint command of one tick. Each drive applies, within its limit,\n"
      "  torque + stiffness (position - q) + damping (velocity - dq)\n"
      "at the rate of the physics; of a position servo only `position` counts. Arrays (joints,) are views: write into "
      "them.");
  command.def(nb::new_([](const Robot& robot) { return Command(robot.model->num_joints()); }), nb::arg("robot"),
              "All zero.");
  const auto array = [&command](const char* name, Eigen::VectorXd Command::*member, const char* unit) {
    command.def_prop_rw(
        name,
        [member](nb::pointer_and_handle<Command> self) {
          Eigen::VectorXd& values = self.p->*member;
          return writable_view(values.data(), {static_cast<std::size_t>(values.size())}, self.h);
        },
        [member, name](Command& self, nb::object values) { read_vector(values, name, self.*member); }, unit);
  };
  array("torque", &Command::torque, "(joints,) [N m]");
  array("position", &Command::position, "(joints,) [rad]");
  array("velocity", &Command::velocity, "(joints,) [rad/s]");
  array("stiffness", &Command::stiffness, "(joints,) [N m/rad]");
  array("damping", &Command::damping, "(joints,) [N m s/rad]");
  command.def_prop_ro(
      "status", [](const Command& self) { return kStatusNames[static_cast<std::size_t>(self.status)]; },
      "'solved', 'reading_missing' or 'solve_failed': the latter two are fallbacks.");
}

void bind_loop(nb::module_& module) {
  nb::class_<Context>(module, "Context", "What a controller written in Python is made from.")
      .def_prop_ro(
          "robot", [](const Context& self) { return self.robot; }, "The robot as it is believed to be.")
      .def_prop_ro(
          "start_q", [](const Context& self) { return copied(self.start_q); }, "(nq,): the posture at time 0.")
      .def_ro("gain_scale", &Context::gain_scale, "A factor for the feedback gains.")
      .def_prop_ro(
          "plan", [](const Context& self) { return self.plan.motion ? nb::cast(self.plan) : nb::none(); },
          "The plan to follow, or None.", nb::sig("def plan(self) -> Plan | None"))
      .def_ro("plan_speed", &Context::plan_speed, "2 plays the plan in half the time.")
      .def_ro("plan_start_s", &Context::plan_start_s, "When the plan begins, in the run's time [s].");
  nb::class_<OwnController>(module, "ScenarioController",
                            "One of aplomb's controllers as a scenario sets it up, to step in a loop of one's own.")
      .def_prop_ro(
          "robot", [](const OwnController& self) { return Robot{self.setup().setup.believed}; },
          "The robot as the controller models it.")
      .def_prop_ro(
          "start_q", [](const OwnController& self) { return copied(self.setup().setup.start.q); },
          "(nq,): the posture at time 0.")
      .def("step", &OwnController::step, nb::arg("readings"),
           "The command of one tick; ticks are 1 ms apart. It is a copy.")
      .def_prop_ro(
          "signals",
          [](const OwnController& self) {
            nb::dict signals;
            for (const Signal& signal : self.signals()) signals[signal.name.c_str()] = signal.value;
            return signals;
          },
          "What the controller logs, of the last tick.", nb::sig("def signals(self) -> dict[str, float]"));
  nb::class_<SimulatedRobot>(module, "SimulatedRobot",
                             "A scenario's robot and world in simulation, one tick of 1 ms at a time.")
      .def_prop_ro("robot", [](const SimulatedRobot& self) { return Robot{self.setup()->setup.robot}; })
      .def_prop_ro(
          "time_s", [](const SimulatedRobot& self) { return (*self).time_s(); }, "[s]")
      .def_prop_ro(
          "q", [](const SimulatedRobot& self) { return copied((*self).state().q); }, "True state, (nq,).")
      .def_prop_ro(
          "v", [](const SimulatedRobot& self) { return copied((*self).state().v); }, "True state, (nv,).")
      .def_prop_ro("is_finite", [](const SimulatedRobot& self) { return (*self).is_finite(); })
      .def("read", &SimulatedRobot::read, "Ideal sensor readings, as a copy.")
      .def("step", &SimulatedRobot::step, nb::arg("command"), "Applies a command for one tick.")
      .def("reset", &SimulatedRobot::reset, "Back to the start.")
      .def(
          "controller", [](const SimulatedRobot& self) { return std::make_unique<OwnController>(self.setup()); },
          "A new controller as the scenario asks for it.");
}

}  // namespace

void register_python_controllers() {
  const auto settings = SettingsOf<PythonSettings>().add(
      &PythonSettings::class_name, schema::text("class", "name of a class that a Python program has passed"));
  register_controller(ControllerKind::of(kPythonKind, "a class derived from aplomb.Controller", settings,
                                         [](const ControllerContext& context, const PythonSettings& chosen) {
                                           return std::make_unique<PythonController>(context, chosen);
                                         }));
}

std::vector<Override> choose_controller(nb::handle controller) {
  if (controller.is_none()) return {};
  if (nb::isinstance<nb::str>(controller)) return {{"controller.kind", nb::cast<std::string>(controller)}};
  if (PyCallable_Check(controller.ptr()) == 0 || !nb::hasattr(controller, "step")) {
    throw InvalidValue(
        fmt::format("controller is {}; valid are a kind of `aplomb.controllers()` and a class derived "
                    "from aplomb.Controller",
                    nb::repr(controller).c_str()));
  }
  const std::string name = nb::cast<std::string>(nb::str(controller.attr("__name__")));
  classes()[name.c_str()] = controller;
  return {{"controller.kind", kPythonKind}, {"controller.python.class", name}};
}

void bind_control(nb::module_& module) {
  register_python_controllers();
  bind_readings(module);
  bind_command(module);
  bind_loop(module);
  module.def(
      "make_controller",
      [](const std::string& scenario, const std::vector<std::string>& set) {
        const std::vector<Override> overrides = overrides_from(set);
        return release_and(
            [&] { return std::make_unique<OwnController>(std::make_shared<Setup>(scenario, overrides)); });
      },
      nb::arg("scenario"), nb::arg("set"));
  module.def(
      "simulate",
      [](const std::string& scenario, const std::vector<std::string>& set) {
        const std::vector<Override> overrides = overrides_from(set);
        return release_and(
            [&] { return std::make_unique<SimulatedRobot>(std::make_shared<Setup>(scenario, overrides)); });
      },
      nb::arg("scenario"), nb::arg("set"));
  module.def("controllers", &controller_kinds, "Kinds of controllers.");
}

}  // namespace aplomb::python
