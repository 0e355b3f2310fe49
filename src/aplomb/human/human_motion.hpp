#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Motion of a body: one column per frame, each a RobotState::q of the skeleton's robot (human_robot.hpp), in the
/// body's own lab frame: x where the subject faces, y left, z up.
struct HumanMotion {
  double rate_hz = 0.0;
  double start_s = 0.0;
  Eigen::MatrixXd q;

  Eigen::Index num_frames() const { return q.cols(); }
  double time_s(Eigen::Index frame) const { return start_s + static_cast<double>(frame) / rate_hz; }
};

}  // namespace aplomb
