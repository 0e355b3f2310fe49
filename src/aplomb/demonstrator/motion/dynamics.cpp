#include "aplomb/demonstrator/motion/dynamics.hpp"

#include <algorithm>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

/// Time derivative of the columns, of fourth order; columns beyond the ends equal those at the ends.
Eigen::MatrixXd rates_of_samples(const Eigen::MatrixXd& values, double rate_hz) {
  const Eigen::Index last = values.cols() - 1;
  Eigen::MatrixXd rates(values.rows(), values.cols());
  for (Eigen::Index i = 0; i <= last; ++i) {
    const auto at = [&](Eigen::Index k) { return values.col(std::clamp<Eigen::Index>(i + k, 0, last)); };
    rates.col(i) = rate_hz / 12.0 * (8.0 * (at(1) - at(-1)) - (at(2) - at(-2)));
  }
  return rates;
}

}  // namespace

Eigen::MatrixXd rates_of(const Eigen::MatrixXd& q, double rate_hz) {
  const Eigen::Index last = q.cols() - 1;
  Eigen::MatrixXd v(q.rows() - 1, q.cols());
  for (Eigen::Index i = 0; i <= last; ++i) {
    const auto step = [&](Eigen::Index k) {
      return difference(q.col(i), q.col(std::clamp<Eigen::Index>(i + k, 0, last)), DifferenceFrame::first);
    };
    v.col(i) = rate_hz / 12.0 * (8.0 * (step(1) - step(-1)) - (step(2) - step(-2)));
  }
  return v;
}

CentroidalDynamics dynamics_of(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                               const std::function<void(Eigen::Index, const RobotTerms&)>& visit) {
  const Eigen::MatrixXd v = rates_of(q, rate_hz);
  return centroidal_dynamics(robot, q, v, rates_of_samples(v, rate_hz), visit);
}

}  // namespace aplomb
