// A program of somebody who has only an installed aplomb: the first lines that a newcomer would write.
#include <cstdio>

#include "aplomb/robot/robot_model.hpp"

int main() {
  const aplomb::RobotModel robot = aplomb::RobotModel::load("sarcos");
  std::printf("%s weighs %.2f kg\n", robot.name().c_str(), robot.mass());
  return robot.mass() > 0.0 ? 0 : 1;
}
