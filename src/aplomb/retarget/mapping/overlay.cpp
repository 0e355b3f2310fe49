#include "aplomb/retarget/mapping/overlay.hpp"

#include <fmt/format.h>

#include "aplomb/core/error.hpp"

namespace aplomb {

Overlay lay_over(const HumanPath& human, const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated,
                 const LinkMap& map) {
  TreeKinematics tree(robot);
  tree.update(seated.state.q);
  Overlay overlay{
      .scale = limbs.leg_length() / human.leg_length, .human_ankles = human.ankles, .robot_ankles = limbs.ankles(tree)};
  for (std::size_t i = 0; i < human.labels.size(); ++i) {
    const int body = map.of(human.segments[i]).body;
    if (body < 0) {
      overlay.left_out.push_back(human.labels[i]);
      continue;
    }
    const Eigen::Vector3d x = overlay.map(human.marker(i, human.rise.overlay));
    overlay.markers.push_back({.body = body, .offset = tree.rotation(body).transpose() * (x - tree.origin(body))});
    overlay.sources.push_back(i);
  }
  constexpr std::size_t kFewest = 6;
  if (overlay.markers.size() < kFewest) {
    throw InvalidValue(fmt::format("only {} markers are on segments that robot '{}' has a link for; {} are needed",
                                   overlay.markers.size(), robot.name(), kFewest));
  }
  return overlay;
}

}  // namespace aplomb
