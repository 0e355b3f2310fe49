#include "aplomb/robot/dynamics/base_wrench.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"

namespace aplomb::test {
namespace {

struct Motion {
  explicit Motion(const RobotModel& robot) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> draw(-0.6, 0.6);
    x = flat_coordinates(robot.posture("half_sitting").q);
    rates = accelerations = x;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      x[i] += draw(random);
      rates[i] = draw(random);
      accelerations[i] = 3.0 * draw(random);
    }
  }
  Eigen::VectorXd x, rates, accelerations;
};

TEST(BaseWrench, IsTheWrenchThatInverseDynamicsNeeds) {
  const RobotModel robot = RobotModel::load("coman");
  const Motion motion(robot);
  MotionDerivatives derivatives(robot);
  derivatives.update(motion.x, motion.rates, motion.accelerations);
  BaseWrench wrench;
  wrench.linearise(derivatives);
  InverseDynamics inverse(robot, {});
  const RobotState state{.q = configuration_of(motion.x), .v = velocity_of(motion.x, motion.rates)};
  const Eigen::VectorXd generalised =
      inverse.compute(state, acceleration_of(motion.x, motion.rates, motion.accelerations));
  const Eigen::Quaterniond turn = base_orientation(state.q);
  const Eigen::Vector3d force = turn * Eigen::Vector3d(generalised.head<3>());
  const Eigen::Vector3d moment =
      turn * Eigen::Vector3d(generalised.segment<3>(3)) + Eigen::Vector3d(state.q.head<3>()).cross(force);
  EXPECT_LT((wrench.value().head<3>() - force).norm(), 1e-9 * force.norm());
  EXPECT_LT((wrench.value().tail<3>() - moment).norm(), 1e-9 * force.norm());
}

TEST(BaseWrench, GradientsAreItsDifferences) {
  const RobotModel robot = RobotModel::load("coman");
  const Motion at(robot);
  MotionDerivatives derivatives(robot);
  derivatives.update(at.x, at.rates, at.accelerations);
  BaseWrench wrench, moved;
  wrench.linearise(derivatives);
  constexpr double kStep = 1e-6;
  const auto slope = [&](Eigen::VectorXd Motion::*of, Eigen::Index i) {
    BaseWrench::Vector difference = BaseWrench::Vector::Zero();
    for (const double sign : {1.0, -1.0}) {
      Motion near = at;
      (near.*of)[i] += sign * kStep;
      derivatives.update_values(near.x, near.rates, near.accelerations);
      moved.evaluate(derivatives);
      difference += sign * moved.value();
    }
    return BaseWrench::Vector(difference / (2.0 * kStep));
  };
  for (Eigen::Index i = 0; i < at.x.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_LT((wrench.by_position().col(i) - slope(&Motion::x, i)).norm(), 1e-3);
    EXPECT_LT((wrench.by_rate().col(i) - slope(&Motion::rates, i)).norm(), 1e-3);
    EXPECT_LT((wrench.by_acceleration().col(i) - slope(&Motion::accelerations, i)).norm(), 1e-3);
  }
}

}  // namespace
}  // namespace aplomb::test
