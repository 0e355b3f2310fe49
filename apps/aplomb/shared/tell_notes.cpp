#include "shared/tell_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "verbs.hpp"

namespace aplomb {

void tell_notes(const RunResult& run) {
  constexpr std::size_t kMostNotes = 8;
  const std::vector<std::string>& on_robot = run.setup.robot->notes();
  std::size_t count = 0;
  for (const std::string& note : run.notes) {
    if (std::ranges::find(on_robot, note) != on_robot.end()) continue;
    if (++count <= kMostNotes) tell(fmt::format("note: {}\n", note));
  }
  const auto tell_others = [](std::size_t others, const std::string& what) {
    if (others > 0) tell(fmt::format("note: {} {}\n", others, what));
  };
  tell_others(count - std::min(count, kMostNotes), "more in the report (--out)");
  tell_others(on_robot.size(),
              fmt::format("on the model of robot {}: in the report and in `aplomb info`", run.setup.robot->name()));
}

}  // namespace aplomb
