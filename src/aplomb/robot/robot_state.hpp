#pragma once

#include <Eigen/Core>

namespace aplomb {

/// State of a robot with a floating base and joints of one degree of freedom each; measured every tick.
struct RobotState {
  Eigen::VectorXd q;  ///< base position [m], base quaternion (x, y, z, w), joint angles [rad] or positions [m]
  Eigen::VectorXd v;  ///< base twist in the base frame (linear [m/s], angular [rad/s]), joint rates [rad/s] or [m/s]
};

}  // namespace aplomb
