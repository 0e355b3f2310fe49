#include "aplomb/retarget/frames/planned_forces.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {

PlannedForces planned_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz) {
  PlannedForces plan;
  plan.v = velocities_at_rest_ends(q, rate_hz);
  plan.a = derivative(plan.v, rate_hz);
  CentroidalMomentum momentum = centroidal_momentum(robot, q, plan.v);
  plan.com = std::move(momentum.com);
  plan.com_velocity = derivative(plan.com, rate_hz);
  plan.com_acceleration = derivative(plan.com_velocity, rate_hz);
  plan.moment = derivative(momentum.angular_momentum, rate_hz);
  plan.force = robot.mass() * plan.com_acceleration;
  plan.force.row(2).array() += robot.mass() * kGravity;
  plan.zmp.resize(2, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) plan.zmp.col(i) = plan.zmp_at(i);
  return plan;
}

double joint_jerk_rms(const Eigen::MatrixXd& q, double rate_hz) {
  const Eigen::Index joints = q.rows() - 7, count = q.cols() - 3;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < count; ++i) {
    sum += (q.col(i + 3) - 3.0 * q.col(i + 2) + 3.0 * q.col(i + 1) - q.col(i)).tail(joints).squaredNorm();
  }
  return std::pow(rate_hz, 3) * std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(1, joints * count)));
}

}  // namespace aplomb
