#include "aplomb/robot/configuration.hpp"

#include <cmath>

namespace aplomb {

void integrate(const Eigen::VectorXd& step, Eigen::VectorXd& q) {
  const Eigen::Quaterniond R_world_base = base_orientation(q);
  q.head<3>() += R_world_base * step.head<3>();
  const Eigen::Vector3d turn = step.segment<3>(3);
  if (turn.norm() > 0.0) {
    q.segment<4>(3) = (R_world_base * Eigen::AngleAxisd(turn.norm(), turn.normalized())).normalized().coeffs();
  }
  joint_positions(q) += joint_velocities(step);
}

void integrate_in_world(const Eigen::VectorXd& step, Eigen::VectorXd& q) {
  q.head<3>() += step.head<3>();
  const Eigen::Vector3d turn = step.segment<3>(3);
  const double angle = turn.norm();
  Eigen::Map<Eigen::Quaterniond> base(q.data() + 3);
  if (angle > 0.0) {
    const double half = 0.5 * angle;
    const Eigen::Vector3d part = std::sin(half) / angle * turn;
    base = Eigen::Quaterniond(std::cos(half), part.x(), part.y(), part.z()) * base;
    base.normalize();
  }
  joint_positions(q) += joint_velocities(step);
}

Eigen::VectorXd difference(const Eigen::VectorXd& from, const Eigen::VectorXd& to, DifferenceFrame frame) {
  const Eigen::Quaterniond R_from = base_orientation(from), R_to = base_orientation(to);
  const Eigen::AngleAxisd turn(R_from.conjugate() * R_to);
  const Eigen::Quaterniond R_frame = frame == DifferenceFrame::first ? R_from : R_from.slerp(0.5, R_to);
  Eigen::VectorXd v(from.size() - 1);
  v.head<3>() = R_frame.conjugate() * (to.head<3>() - from.head<3>());
  v.segment<3>(3) = turn.angle() * turn.axis();
  joint_velocities(v) = joint_positions(to) - joint_positions(from);
  return v;
}

void make_quaternions_continuous(Eigen::MatrixXd& q) {
  for (Eigen::Index i = 1; i < q.cols(); ++i) {
    if (q.col(i).segment<4>(3).dot(q.col(i - 1).segment<4>(3)) < 0.0) q.col(i).segment<4>(3) *= -1.0;
  }
}

}  // namespace aplomb
