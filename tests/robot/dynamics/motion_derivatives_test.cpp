#include "aplomb/robot/dynamics/motion_derivatives.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "support/random_state.hpp"

namespace aplomb {
namespace {

class MotionDerivativesOf : public testing::TestWithParam<const char*> {
 protected:
  MotionDerivativesOf() : model(RobotModel::load(GetParam())), derivatives(model) {
    x = flat_coordinates(test::random_state(model, 3).q);
    x[4] = 0.4;  // far from the singular pitch
    rates = test::random_state(model, 4).v;
    accelerations = 5.0 * test::random_state(model, 5).v;
  }
  /// Central difference of τ along one of x, ẋ, ẍ.
  Eigen::VectorXd difference(Eigen::VectorXd& varied, Eigen::Index i, double step) {
    const double value = varied[i];
    varied[i] = value + step;
    derivatives.update_values(x, rates, accelerations);
    const Eigen::VectorXd above = derivatives.torque();
    varied[i] = value - step;
    derivatives.update_values(x, rates, accelerations);
    const Eigen::VectorXd below = derivatives.torque();
    varied[i] = value;
    return (above - below) / (2.0 * step);
  }
  RobotModel model;
  MotionDerivatives derivatives;
  Eigen::VectorXd x, rates, accelerations;
};

TEST_P(MotionDerivativesOf, TorquesAreThoseOfTheInverseDynamics) {
  InverseDynamics inverse(model, {});
  derivatives.update(x, rates, accelerations);
  const Eigen::VectorXd expected =
      inverse.compute({configuration_of(x), velocity_of(x, rates)}, acceleration_of(x, rates, accelerations));
  const double scale = expected.cwiseAbs().maxCoeff();
  EXPECT_LT((derivatives.torque() - expected).tail(model.num_joints()).cwiseAbs().maxCoeff(), 1e-10 * scale);
  // The base's translations are those of the world.
  const Eigen::Vector3d force = base_orientation(configuration_of(x)).toRotationMatrix() * expected.head<3>();
  EXPECT_LT((derivatives.torque().head<3>() - force).norm(), 1e-10 * scale);
  const Eigen::VectorXd exact = derivatives.torque();
  derivatives.update_values(x, rates, accelerations);
  EXPECT_LT((derivatives.torque() - exact).cwiseAbs().maxCoeff(), 1e-10 * scale);
}

TEST_P(MotionDerivativesOf, AreThoseOfFiniteDifferences) {
  derivatives.update(x, rates, accelerations);
  const Eigen::MatrixXd by_position = derivatives.by_position(), by_rate = derivatives.by_rate(),
                        mass_matrix = derivatives.mass_matrix();
  const double scale = derivatives.torque().cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    // Error of a central difference: O(step²), and rounding / step.
    EXPECT_LT((difference(x, i, 1e-5) - by_position.col(i)).cwiseAbs().maxCoeff(), 1e-6 * scale) << i;
    EXPECT_LT((difference(rates, i, 1e-4) - by_rate.col(i)).cwiseAbs().maxCoeff(), 1e-7 * scale) << i;
    EXPECT_LT((difference(accelerations, i, 1e-2) - mass_matrix.col(i)).cwiseAbs().maxCoeff(), 1e-9 * scale) << i;
  }
}

TEST_P(MotionDerivativesOf, ColumnsMoveBodiesAndCentreOfMass) {
  derivatives.update(x, rates, accelerations);
  const int body = model.num_joints();
  const Eigen::Vector3d offset(0.1, -0.2, 0.3);
  const Matrix6Xd columns = derivatives.columns();
  const Matrix3Xd com_jacobian = derivatives.com_jacobian();
  const Eigen::Vector3d point = derivatives.pose(body) * offset;
  constexpr double kStep = 1e-6;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::Vector3d points[2], coms[2];
    for (int k = 0; k < 2; ++k) {
      Eigen::VectorXd moved = x;
      moved[i] += k == 0 ? -kStep : kStep;
      derivatives.update_values(moved, rates, accelerations);
      points[k] = derivatives.pose(body) * offset;
      coms[k] = derivatives.com();
    }
    Eigen::Vector3d expected = columns.col(i).head<3>() + columns.col(i).tail<3>().cross(point);
    if (!derivatives.moves(static_cast<int>(i), body)) expected.setZero();
    EXPECT_LT(((points[1] - points[0]) / (2.0 * kStep) - expected).norm(), 1e-8) << i;
    EXPECT_LT(((coms[1] - coms[0]) / (2.0 * kStep) - com_jacobian.col(i)).norm(), 1e-8) << i;
  }
}

TEST_P(MotionDerivativesOf, FlatCoordinatesKeepConfigurationAndVelocity) {
  const Eigen::VectorXd q = configuration_of(x);
  EXPECT_LT((flat_coordinates(q) - x).cwiseAbs().maxCoeff(), 1e-12);
  // v and v̇ are the derivatives of the configuration along x(t) = x + ẋ t + ½ ẍ t².
  constexpr double kStep = 1e-4;
  const auto at = [&](double t) { return Eigen::VectorXd(x + t * rates + 0.5 * t * t * accelerations); };
  const auto velocity_at = [&](double t) { return velocity_of(at(t), rates + t * accelerations); };
  const Eigen::VectorXd v =
      aplomb::difference(configuration_of(at(-kStep)), configuration_of(at(kStep)), DifferenceFrame::midpoint) /
      (2.0 * kStep);
  EXPECT_LT((v - velocity_of(x, rates)).cwiseAbs().maxCoeff(), 1e-6);
  const Eigen::VectorXd a = (velocity_at(kStep) - velocity_at(-kStep)) / (2.0 * kStep);
  EXPECT_LT((a - acceleration_of(x, rates, accelerations)).cwiseAbs().maxCoeff(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Robots, MotionDerivativesOf, testing::Values("sarcos_real", "coman", "hoap3"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace aplomb
