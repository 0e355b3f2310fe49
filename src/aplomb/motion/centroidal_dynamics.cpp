#include "aplomb/motion/centroidal_dynamics.hpp"

#include <algorithm>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {

Eigen::Vector2d zmp_of(const Eigen::Vector3d& com, const Eigen::Vector3d& force, const Eigen::Vector3d& moment) {
  return {com.x() - (com.z() * force.x() + moment.y()) / force.z(),
          com.y() - (com.z() * force.y() - moment.x()) / force.z()};
}

CentroidalMomentum centroidal_momentum(const RobotModel& robot, const Eigen::MatrixXd& q, const Eigen::MatrixXd& v) {
  CentroidalMomentum momentum{Eigen::Matrix3Xd(3, q.cols()), Eigen::Matrix3Xd(3, q.cols())};
  RobotTerms terms(robot, {});
  RobotState state = robot.neutral_state();
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    state.q = q.col(i);
    state.v = v.col(i);
    terms.update(state);
    momentum.com.col(i) = terms.com();
    momentum.angular_momentum.col(i) = terms.momentum().tail<3>();
  }
  return momentum;
}

Eigen::Vector2d CentroidalDynamics::zmp_at(Eigen::Index sample) const {
  return zmp_of(com.col(sample), force.col(sample), moment.col(sample));
}

double CentroidalDynamics::vertical_moment(Eigen::Index sample) const {
  const Eigen::Vector2d arm = com.col(sample).head<2>() - zmp_at(sample);
  return moment(2, sample) + arm.x() * force(1, sample) - arm.y() * force(0, sample);
}

void CentroidalDynamics::remove_contact(Eigen::Index sample, double share, const Eigen::Vector3d& point) {
  const Eigen::Vector3d carried = share * force.col(sample), arm = point - com.col(sample);
  moment.col(sample) -= arm.cross(carried);
  force.col(sample) -= carried;
}

CentroidalDynamics centroidal_dynamics(const RobotModel& robot, const Eigen::MatrixXd& q, const Eigen::MatrixXd& v,
                                       const Eigen::MatrixXd& a,
                                       const std::function<void(Eigen::Index, const RobotTerms&)>& visit) {
  const Eigen::Index count = q.cols();
  CentroidalDynamics dynamics{Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count),
                              Eigen::Matrix3Xd(3, count)};
  RobotTerms terms(robot, {});
  RobotState state{q.col(0), v.col(0)};
  for (Eigen::Index i = 0; i < count; ++i) {
    state.q = q.col(i);
    state.v = v.col(i);
    terms.update(state);
    const Vector6d rate = terms.momentum_matrix() * a.col(i) + terms.momentum_bias();
    dynamics.com.col(i) = terms.com();
    dynamics.com_velocity.col(i) = terms.com_velocity();
    dynamics.force.col(i) = rate.head<3>() + Eigen::Vector3d(0.0, 0.0, robot.mass() * kGravity);
    dynamics.moment.col(i) = rate.tail<3>();
    if (visit) visit(i, terms);
  }
  return dynamics;
}

Eigen::MatrixXd derivative(const Eigen::MatrixXd& samples, double rate_hz) {
  const Eigen::Index last = samples.cols() - 1;
  Eigen::MatrixXd rates(samples.rows(), samples.cols());
  const auto at = [&](Eigen::Index i) { return samples.col(std::clamp<Eigen::Index>(i, 0, last)); };
  for (Eigen::Index i = 0; i <= last; ++i) {
    rates.col(i) = rate_hz * (2.0 / 3.0 * (at(i + 1) - at(i - 1)) - 1.0 / 12.0 * (at(i + 2) - at(i - 2)));
  }
  return rates;
}

Eigen::MatrixXd velocities_at_rest_ends(const Eigen::MatrixXd& q, double rate_hz) {
  const Eigen::Index last = q.cols() - 1;
  Eigen::MatrixXd v(q.rows() - 1, q.cols());
  const auto step = [&](Eigen::Index from, Eigen::Index to) {
    return difference(q.col(std::clamp<Eigen::Index>(from, 0, last)), q.col(std::clamp<Eigen::Index>(to, 0, last)),
                      DifferenceFrame::midpoint);
  };
  for (Eigen::Index i = 0; i <= last; ++i) {
    v.col(i) = rate_hz * (2.0 / 3.0 * step(i - 1, i + 1) - 1.0 / 12.0 * step(i - 2, i + 2));
  }
  return v;
}

}  // namespace aplomb
