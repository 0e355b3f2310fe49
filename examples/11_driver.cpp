// A robot's driver and a controller on the two ends of a link (docs/hardware.md). The driver is what you write for a
// robot of your own; here MyRobot simulates, and the controller runs in a thread instead of in `aplomb control`.
//   build/examples/11_driver
#include <cmath>
#include <cstdio>
#include <exception>
#include <future>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/link/control_loop.hpp"
#include "aplomb/link/remote_controller.hpp"
#include "aplomb/sim/simulation.hpp"

namespace {

/// Stands for a vendor's library: reads sensors, writes to drives.
class MyRobot {
 public:
  explicit MyRobot(const aplomb::RobotModel& model) : simulation_(model, aplomb::World{}) {
    simulation_.start(model.posture("half_sitting"));
  }
  const aplomb::SensorReadings& read() {
    simulation_.read(readings_);
    return readings_;
  }
  void write(const aplomb::Command& command) { simulation_.step(command); }
  double height() const { return simulation_.state().q.z(); }

 private:
  aplomb::Simulation simulation_;
  aplomb::SensorReadings readings_;
};

/// The controller's process: `aplomb control --robot coman --controller joint_pd --connect ADDRESS`.
void control(const aplomb::RobotModel& model, const aplomb::LinkAddress& robot) {
  aplomb::JointPd controller(model, model.posture("half_sitting"), {});
  aplomb::ControlLoop loop(model, controller, {.controller = "joint_pd", .is_realtime_asked = false});
  loop.connect(robot);
  loop.run();
}

int drive() {
  const aplomb::RobotModel model = aplomb::RobotModel::load("coman");
  MyRobot robot(model);
  const double height = robot.height();
  // Lock step, so that this example ends alike on any machine; a real robot does without, and step() keeps the period.
  aplomb::RemoteController remote(model, aplomb::LinkAddress{}, {.scenario = "example", .is_lockstep = true});
  const auto controller = std::async(std::launch::async, [&] { control(model, remote.address()); });
  std::printf("controlled by %s\n", remote.wait_for_controller().c_str());
  for (int tick = 0; tick < 1000; ++tick) robot.write(remote.step(robot.read()));
  const double damped = *remote.report().metrics.number("link_damped");
  std::printf("pelvis %.1f mm from where it was, %s\n", 1e3 * std::abs(robot.height() - height),
              damped == 0.0 ? "never damped" : "damped");
  return std::abs(robot.height() - height) < 0.005 && damped == 0.0 ? 0 : 1;
}

}  // namespace

int main() try { return drive(); } catch (const std::exception& error) {
  std::fprintf(stderr, "11_driver: %s\n", error.what());
  return 2;
}
