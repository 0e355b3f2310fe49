// What a task-priority controller does about broken sensors, and what it says of it.
#include <fmt/format.h>

#include "aplomb/control/task_priority.hpp"

namespace aplomb {

std::string_view TaskPriority::fallback(Sensor sensor) const {
  switch (sensor) {
    case Sensor::left_load_cells:
    case Sensor::right_load_cells:
      return "a single broken cell is replaced from the three others; without the foot the ZMP feedback fades out";
    case Sensor::joint_position:
      return "goes on from the commanded angles, without comparing them to the measured ones";
    case Sensor::base_orientation:
      return "keeps the ZMP feedback on while the robot rocks";
    default:
      return "not needed: task_priority does not use this sensor";
  }
}

ControllerReport TaskPriority::report() const {
  ControllerReport report{.metrics = report_.metrics()};
  std::vector<Fault>& faults = report.faults;
  for (int side : {kLeft, kRight}) {
    const char* name = side == kLeft ? "left" : "right";
    const auto index = static_cast<std::size_t>(side);
    if (const auto& since = load_cells_.frozen_since_s[index]) {
      faults.push_back({.name = fmt::format("{}_load_cells_repeat_themselves", name),
                        .start_s = *since,
                        .fallback = "noticed: the ZMP feedback fades out while they do"});
    }
    if (const auto& since = load_cells_.repaired_since_s[index]) {
      faults.push_back({.name = fmt::format("{}_load_cell_silent", name),
                        .start_s = *since,
                        .fallback = "noticed: replaced from the three others of that foot"});
    }
  }
  report_.add_faults(faults);
  return report;
}

}  // namespace aplomb
