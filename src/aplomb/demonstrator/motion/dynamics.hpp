#pragma once

#include <Eigen/Core>
#include <functional>

#include "aplomb/motion/centroidal_dynamics.hpp"

namespace aplomb {

/// v of every posture in a sequence sampled at `rate_hz`, by fourth-order central differences. The body is assumed at
/// rest before the first and after the last posture.
Eigen::MatrixXd rates_of(const Eigen::MatrixXd& q, double rate_hz);

/// CoM motion and contact resultant of the postures. `visit` is called with the terms of each sample.
CentroidalDynamics dynamics_of(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                               const std::function<void(Eigen::Index, const RobotTerms&)>& visit = {});

}  // namespace aplomb
