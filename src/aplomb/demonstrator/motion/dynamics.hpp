#pragma once

#include <Eigen/Core>
#include <functional>

#include "aplomb/motion/centroidal_dynamics.hpp"

namespace aplomb {

/// v at every instant, from postures `rate_hz` apart: differences of fourth order over two instants on each side.
/// Before the first and after the last posture the body is taken to be at rest.
Eigen::MatrixXd rates_of(const Eigen::MatrixXd& q, double rate_hz);

/// CoM motion and contact resultant of the postures. `visit` is called with the terms of each sample.
CentroidalDynamics dynamics_of(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                               const std::function<void(Eigen::Index, const RobotTerms&)>& visit = {});

}  // namespace aplomb
