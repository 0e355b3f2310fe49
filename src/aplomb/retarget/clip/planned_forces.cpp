#include "aplomb/retarget/clip/planned_forces.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

Eigen::MatrixXd derivative(const Eigen::MatrixXd& samples, double rate_hz) {
  const Eigen::Index last = samples.cols() - 1;
  Eigen::MatrixXd rates(samples.rows(), samples.cols());
  const auto at = [&](Eigen::Index i) { return samples.col(std::clamp<Eigen::Index>(i, 0, last)); };
  for (Eigen::Index i = 0; i <= last; ++i) {
    rates.col(i) = rate_hz * (2.0 / 3.0 * (at(i + 1) - at(i - 1)) - 1.0 / 12.0 * (at(i + 2) - at(i - 2)));
  }
  return rates;
}

Eigen::Vector2d zmp_of(const Eigen::Vector3d& com, const Eigen::Vector3d& force, const Eigen::Vector3d& moment) {
  return {com.x() - (com.z() * force.x() + moment.y()) / force.z(),
          com.y() - (com.z() * force.y() - moment.x()) / force.z()};
}

PlannedForces planned_forces(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz) {
  const Eigen::Index last = q.cols() - 1;
  PlannedForces plan;
  plan.v.resize(robot.nv(), q.cols());
  const auto at = [&](Eigen::Index i) { return Eigen::VectorXd(q.col(std::clamp<Eigen::Index>(i, 0, last))); };
  for (Eigen::Index i = 0; i <= last; ++i) {
    constexpr DifferenceFrame kFrame = DifferenceFrame::midpoint;
    plan.v.col(i) = rate_hz * (2.0 / 3.0 * difference(at(i - 1), at(i + 1), kFrame) -
                               1.0 / 12.0 * difference(at(i - 2), at(i + 2), kFrame));
  }
  plan.a = derivative(plan.v, rate_hz);
  plan.com.resize(3, q.cols());
  Eigen::MatrixXd turning(3, q.cols());
  RobotTerms terms(robot, {});
  RobotState state = robot.neutral_state();
  for (Eigen::Index i = 0; i <= last; ++i) {
    state.q = q.col(i);
    state.v = plan.v.col(i);
    terms.update(state);
    plan.com.col(i) = terms.com();
    turning.col(i) = terms.momentum().tail<3>();
  }
  plan.com_velocity = derivative(plan.com, rate_hz);
  plan.com_acceleration = derivative(plan.com_velocity, rate_hz);
  plan.moment = derivative(turning, rate_hz);
  plan.force = robot.mass() * plan.com_acceleration;
  plan.force.row(2).array() += robot.mass() * kGravity;
  plan.zmp.resize(2, q.cols());
  for (Eigen::Index i = 0; i <= last; ++i) {
    plan.zmp.col(i) = zmp_of(plan.com.col(i), plan.force.col(i), plan.moment.col(i));
  }
  return plan;
}

Eigen::VectorXd shift_for_zmp(const Eigen::VectorXd& demand, const Eigen::VectorXd& b, double rate_hz) {
  // Thomas's elimination of  −w d(i−1) + (1 + 2 w) d(i) − w d(i+1) = demand(i),  w = b rate².
  const Eigen::Index count = demand.size();
  Eigen::VectorXd upper = Eigen::VectorXd::Zero(count), shift = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 1; i + 1 < count; ++i) {
    const double w = b[i] * rate_hz * rate_hz;
    const double pivot = 1.0 + 2.0 * w - w * upper[i - 1];
    upper[i] = w / pivot;
    shift[i] = (demand[i] + w * shift[i - 1]) / pivot;
  }
  for (Eigen::Index i = count - 2; i > 0; --i) shift[i] += upper[i] * shift[i + 1];
  return shift;
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
