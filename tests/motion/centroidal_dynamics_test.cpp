#include "aplomb/motion/centroidal_dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 1000.0;  // [Hz]

/// A smooth motion of base and joints over one second.
Eigen::MatrixXd smooth_motion(const RobotModel& robot) {
  const Eigen::VectorXd start = robot.posture("half_sitting").q;
  Eigen::VectorXd direction(robot.nv());
  for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = 0.1 * std::sin(1.0 + static_cast<double>(i));
  Eigen::MatrixXd q(robot.nq(), 1001);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Eigen::VectorXd now = start;
    integrate_in_world(std::pow(std::sin(M_PI * static_cast<double>(i) / 1000.0), 4) * direction, now);
    q.col(i) = now;
  }
  return q;
}

TEST(CentroidalDynamics, ForceAndMomentAreTheRatesOfMomentum) {
  const RobotModel robot = RobotModel::load("hoap3");
  const Eigen::MatrixXd q = smooth_motion(robot);
  const Eigen::MatrixXd v = velocities_at_rest_ends(q, kRate);
  const CentroidalDynamics dynamics = centroidal_dynamics(robot, q, v, derivative(v, kRate));
  const CentroidalMomentum momentum = centroidal_momentum(robot, q, v);
  const Eigen::MatrixXd acceleration = derivative(derivative(momentum.com, kRate), kRate);
  const Eigen::MatrixXd moment = derivative(momentum.angular_momentum, kRate);
  const Eigen::Vector3d weight(0.0, 0.0, robot.mass() * kGravity);
  // Fourth-order differences at 1 kHz of a motion of 1 s: errors far below 1e-6 of the weight.
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    EXPECT_LT((dynamics.force.col(i) - weight - robot.mass() * acceleration.col(i)).norm(), 1e-5 * weight.z()) << i;
    EXPECT_LT((dynamics.moment.col(i) - moment.col(i)).norm(), 1e-5 * weight.z()) << i;
  }
}

TEST(CentroidalDynamics, AtRestTheZmpIsBelowTheCentreOfMass) {
  const RobotModel robot = RobotModel::load("hoap3");
  const Eigen::MatrixXd q = robot.posture("half_sitting").q.replicate(1, 5);
  const Eigen::MatrixXd v = velocities_at_rest_ends(q, kRate);
  const CentroidalDynamics dynamics = centroidal_dynamics(robot, q, v, derivative(v, kRate));
  EXPECT_LT((dynamics.zmp_at(2) - dynamics.com.col(2).head<2>()).norm(), 1e-12);
  EXPECT_NEAR(dynamics.vertical_moment(2), 0.0, 1e-12);
}

TEST(CentroidalDynamics, RemovingAContactThatCarriesAFractionLeavesTheRestOfTheWrench) {
  CentroidalDynamics dynamics{Eigen::Vector3d(0.1, 0.0, 0.5), Eigen::Vector3d::Zero(),
                              Eigen::Vector3d(5.0, -3.0, 100.0), Eigen::Vector3d(1.0, 2.0, 0.5)};
  const Eigen::Vector3d force = dynamics.force.col(0), moment = dynamics.moment.col(0), com = dynamics.com.col(0);
  const Eigen::Vector3d point(0.3, 0.2, 0.7);
  dynamics.remove_contact(0, 0.25, point);
  EXPECT_LT((dynamics.force.col(0) + 0.25 * force - force).norm(), 1e-12);
  EXPECT_LT((dynamics.moment.col(0) + (point - com).cross(0.25 * force) - moment).norm(), 1e-12);
}

}  // namespace
}  // namespace aplomb
