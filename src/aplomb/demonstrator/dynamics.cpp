#include "aplomb/demonstrator/dynamics.hpp"

#include <algorithm>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

/// d/dt of the columns, fourth order; the columns beyond the ends are like those at the ends.
Eigen::MatrixXd derivative(const Eigen::MatrixXd& values, double rate_hz) {
  const Eigen::Index last = values.cols() - 1;
  Eigen::MatrixXd rates(values.rows(), values.cols());
  for (Eigen::Index i = 0; i <= last; ++i) {
    const auto at = [&](Eigen::Index k) { return values.col(std::clamp<Eigen::Index>(i + k, 0, last)); };
    rates.col(i) = rate_hz / 12.0 * (8.0 * (at(1) - at(-1)) - (at(2) - at(-2)));
  }
  return rates;
}

}  // namespace

Eigen::Vector2d OuterForces::zmp(Eigen::Index column) const {
  const Eigen::Vector3d c = com.col(column), F = force.col(column), k_rate = moment.col(column);
  return {c.x() - (c.z() * F.x() + k_rate.y()) / F.z(), c.y() - (c.z() * F.y() - k_rate.x()) / F.z()};
}

double OuterForces::vertical_moment(Eigen::Index column) const {
  const Eigen::Vector2d arm = com.col(column).head<2>() - zmp(column);
  return moment(2, column) + arm.x() * force(1, column) - arm.y() * force(0, column);
}

void OuterForces::leave_out(Eigen::Index column, double share, const Eigen::Vector3d& point) {
  const Eigen::Vector3d there = share * force.col(column), arm = point - com.col(column);
  moment.col(column) -= arm.cross(there);
  force.col(column) -= there;
}

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

OuterForces outer_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz,
                         const std::function<void(Eigen::Index, const RobotTerms&)>& visit) {
  const Eigen::MatrixXd v = rates_of(q, rate_hz);
  const Eigen::MatrixXd a = derivative(v, rate_hz);
  const Eigen::Index count = q.cols();
  OuterForces forces{Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count),
                     Eigen::Matrix3Xd(3, count)};
  RobotTerms terms(robot, {});
  RobotState state{q.col(0), v.col(0)};
  for (Eigen::Index i = 0; i < count; ++i) {
    state.q = q.col(i);
    state.v = v.col(i);
    terms.update(state);
    const Vector6d rate = terms.momentum_matrix() * a.col(i) + terms.momentum_bias();
    forces.com.col(i) = terms.com();
    forces.com_velocity.col(i) = terms.com_velocity();
    forces.force.col(i) = rate.head<3>() + Eigen::Vector3d(0.0, 0.0, robot.mass() * kGravity);
    forces.moment.col(i) = rate.tail<3>();
    if (visit) visit(i, terms);
  }
  return forces;
}

}  // namespace aplomb
