#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/link/cycle_times.hpp"
#include "aplomb/link/link_address.hpp"
#include "aplomb/link/messages.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The controller's side of a link: steps a controller once for each reading of a robot in another process, at the
/// robot's control period, and sends its commands.
///
/// In real time it wakes by an absolute clock just before each reading is due. When none has come for 20 ms it commands
/// dampers, and never anything else again in this session; when none comes for a second it ends. In lock step it waits
/// for each reading for as long as the robot's process lives.
class ControlLoop {
 public:
  struct Settings {
    std::string controller;  ///< named to the robot
    double connect_wait_s = 10.0;
    bool is_realtime_asked = true;  ///< lock memory and ask for real-time priority, unless the robot is in lock step
  };
  enum class End { finished, robot_interrupted, robot_silent };

  /// Throws InvalidValue. `model` and `controller` must outlive this object.
  ControlLoop(const RobotModel& model, Controller& controller, const Settings& settings);
  ~ControlLoop();

  /// Says hello until the robot answers. Throws InvalidValue when it does not, when it is another robot, or speaks
  /// another version; Interrupted on Ctrl-C.
  Welcome connect(const LinkAddress& robot);
  /// Controls until the robot ends the session or falls silent. On Ctrl-C it tells the robot, which damps its joints,
  /// and throws Interrupted.
  End run();

  /// Metrics of the controller, and of the link as seen from here.
  Metrics metrics() const;
  void add_timing(Metrics& timing) const;
  const CycleTimes& cycles() const;        ///< from a reading to its command
  const CycleTimes& jitter() const;        ///< how late the loop woke; none in lock step
  std::vector<std::string> notes() const;  ///< what the system did not permit

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb
