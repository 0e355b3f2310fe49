#pragma once

#include <memory>
#include <string>

#include "aplomb/control/controller.hpp"
#include "aplomb/link/command_gate.hpp"
#include "aplomb/link/cycle_times.hpp"
#include "aplomb/link/link_address.hpp"
#include "aplomb/link/messages.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// What a robot sends of itself: its name, and its joints.
RobotIdentity identity_of(const RobotModel& robot);

/// The robot's side of a link: to the robot's loop it is a controller, whose commands come from another process by way
/// of a CommandGate. A driver of one's own calls `step` once every control period (docs/hardware.md):
///
///   RemoteController remote(robot, address, settings);
///   remote.wait_for_controller();
///   while (...) drives.write(remote.step(sensors.read()));
///
/// `step` sends the readings, waits for the command that answers them for up to half a control period (in lock step:
/// for as long as the controller lives, at most 10 s), and returns what may go to the drives. It never throws and never
/// allocates.
class RemoteController final : public Controller {
 public:
  struct Settings {
    CommandGate::Settings gate;
    std::string scenario;      ///< named to the controller
    bool is_lockstep = false;  ///< wait for each command; otherwise `step` keeps the control period
    double wait_s = 60.0;      ///< for a controller to come
  };

  /// Listens from now on. Throws InvalidValue. `robot` must outlive this object.
  RemoteController(const RobotModel& robot, const LinkAddress& listen, const Settings& settings);
  ~RemoteController() override;

  LinkAddress address() const;
  /// Waits for a controller of this robot and welcomes it; others are refused and waiting goes on. Returns its name.
  /// Throws InvalidValue when none comes in time, Interrupted on Ctrl-C.
  std::string wait_for_controller();

  const Command& step(const SensorReadings& readings) override;
  /// Ends the session: tells the controller, and returns the metrics that it reports, with those of the link.
  ControllerReport report() const override;

  const CommandGate& gate() const;
  /// Times of `step`'s round trip, and how late its ticks began (none in lock step).
  void add_timing(Metrics& timing) const;
  const CycleTimes& round_trips() const;
  const CycleTimes& jitter() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
