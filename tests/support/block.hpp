#pragma once

#include <fmt/format.h>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb::test {

/// A box of the given mass, 0.2 m wide and long and 0.1 m high, that stands on its left "sole", with a
/// "hand" 2 cm in front of it: the simplest robot.
inline RobotModel block(double mass) {
  const double sideways = mass / 12.0 * (0.2 * 0.2 + 0.1 * 0.1), upright = mass / 12.0 * (0.2 * 0.2 + 0.2 * 0.2);
  const std::string urdf = fmt::format(
      "<robot name='block'><link name='box'><inertial><mass value='{}'/><inertia ixx='{}' iyy='{}' izz='{}' ixy='0' "
      "ixz='0' iyz='0'/></inertial></link><link name='hand'/><joint name='arm' type='fixed'><parent link='box'/><child "
      "link='hand'/><origin xyz='0.12 0 0'/></joint></robot>",
      mass, sideways, sideways, upright);
  RobotDescription description;
  description.name = "block";
  description.roles.foot[kLeft] = "box";
  description.roles.hand[kRight] = "hand";
  description.soles[kLeft] = Sole{.x_min = -0.1, .x_max = 0.1, .y_min = -0.1, .y_max = 0.1, .z = -0.05};
  return RobotModel(parse_urdf(urdf, "block.urdf"), description);
}

inline RobotState resting(const RobotModel& block) {
  RobotState state = block.neutral_state();
  block.stand_on_soles(state);
  return state;
}

}  // namespace aplomb::test
