#include "aplomb/robot/kinematics/point_equations.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

Eigen::VectorXd random_q(const RobotModel& model, std::mt19937& engine) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Eigen::VectorXd q = model.neutral_state().q;
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = unit(engine);
  q.segment<4>(3).normalize();
  return q;
}

class TreeOfARobot : public testing::TestWithParam<const char*> {
 protected:
  RobotModel model = RobotModel::load(GetParam());
  TreeKinematics tree{model};
  std::mt19937 engine{5};
};

TEST_P(TreeOfARobot, AgreesWithTheTermsOfTheDynamics) {
  const FrameId hand = model.frame(model.description().roles.foot[0]);
  RobotTerms terms(model, std::array{hand});
  for (int trial = 0; trial < 20; ++trial) {
    RobotState state{random_q(model, engine), Eigen::VectorXd::Zero(model.nv())};
    terms.update(state);
    tree.update(state.q);
    EXPECT_LT((tree.com() - terms.com()).norm(), 1e-12);
    const LinkPlacement& link = model.tree().links[static_cast<std::size_t>(hand)];
    const Eigen::Vector3d at = tree.point(link.body, link.T_body_link.translation());
    EXPECT_LT((at - terms.frame(hand).T_world_frame.translation()).norm(), 1e-12);
  }
}

TEST_P(TreeOfARobot, HasJacobiansThatPredictSmallMotions) {
  Eigen::MatrixXd jacobian(3, tree.nv());
  for (int body = 0; body < tree.num_bodies(); body += 3) {
    const Eigen::VectorXd q = random_q(model, engine);
    const Eigen::Vector3d offset(0.1, -0.2, 0.3);
    tree.update(q);
    tree.point_jacobian(body, tree.point(body, offset), jacobian);
    for (int column = 0; column < tree.nv(); ++column) {
      constexpr double kStep = 1e-6;
      Eigen::Vector3d ends[2];
      for (int side = 0; side < 2; ++side) {
        Eigen::VectorXd step = Eigen::VectorXd::Zero(tree.nv()), moved = q;
        step[column] = side == 0 ? -kStep : kStep;
        integrate_in_world(step, moved);
        tree.update(moved);
        ends[side] = tree.point(body, offset);
      }
      EXPECT_LT(((ends[1] - ends[0]) / (2.0 * kStep) - jacobian.col(column)).norm(), 1e-8) << column;
    }
  }
}

TEST_P(TreeOfARobot, SumsTheNormalEquationsThatJacobiansGive) {
  const int nv = tree.nv();
  // Every third joint follows the one before it, with a ratio of its own.
  JointCouplings couplings;
  for (int i = 0; i < tree.num_joints(); ++i) {
    const bool follows = i % 3 == 2;
    couplings.column.push_back(follows ? couplings.column.back() : couplings.num_free++);
    couplings.ratio.push_back(follows ? 0.5 + 0.1 * i : 1.0);
  }
  const int free = couplings.num_free;
  Eigen::MatrixXd expand = Eigen::MatrixXd::Zero(nv, free);
  expand.topLeftCorner(6, 6).setIdentity();
  for (int i = 0; i < tree.num_joints(); ++i)
    expand(6 + i, couplings.column[static_cast<std::size_t>(i)]) = couplings.ratio[static_cast<std::size_t>(i)];
  PointEquations equations(tree, couplings);
  tree.update(random_q(model, engine));
  Eigen::MatrixXd wanted = Eigen::MatrixXd::Zero(nv, nv), jacobian(3, nv), hessian(free, free);
  Eigen::VectorXd wanted_gradient = Eigen::VectorXd::Zero(nv), gradient(free);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  equations.clear();
  for (int i = 0; i < 60; ++i) {
    const int body = static_cast<int>(engine() % static_cast<unsigned>(tree.num_bodies()));
    const Eigen::Vector3d x = tree.point(body, Eigen::Vector3d(unit(engine), unit(engine), unit(engine)));
    const Eigen::Vector3d error(unit(engine), unit(engine), unit(engine));
    const double weight = 0.2 + std::abs(unit(engine));
    equations.add(body, x, error, weight);
    tree.point_jacobian(body, x, jacobian);
    wanted += weight * jacobian.transpose() * jacobian;
    wanted_gradient += weight * jacobian.transpose() * error;
  }
  equations.sum_up(hessian, gradient);
  const Eigen::MatrixXd reduced = expand.transpose() * wanted * expand;
  const Eigen::MatrixXd lower = hessian.triangularView<Eigen::Lower>();
  EXPECT_LT((lower - Eigen::MatrixXd(reduced.triangularView<Eigen::Lower>())).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((gradient - expand.transpose() * wanted_gradient).cwiseAbs().maxCoeff(), 1e-11);
}

TEST_P(TreeOfARobot, HasTheExactCurvatureOfItsCost) {
  PointEquations equations(tree, JointCouplings::none(tree.num_joints()));
  const Eigen::VectorXd q = random_q(model, engine);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  struct Point {
    int body;
    Eigen::Vector3d offset, target, force;
    double weight;
  };
  std::vector<Point> points;
  for (int i = 0; i < 30; ++i) {
    const auto any = [&] { return Eigen::Vector3d(unit(engine), unit(engine), unit(engine)); };
    points.push_back(
        {static_cast<int>(engine() % static_cast<unsigned>(tree.num_bodies())), any(), any(), any(), 0.3 + 0.01 * i});
  }
  const auto cost = [&](const Eigen::VectorXd& at) {
    tree.update(at);
    double sum = 0.0;
    for (const Point& point : points) {
      const Eigen::Vector3d x = tree.point(point.body, point.offset);
      sum += 0.5 * point.weight * (x - point.target).squaredNorm() + point.force.dot(x);
    }
    return sum;
  };
  constexpr double kStep = 1e-4;  // rounding 1e-8, truncation 1e-7
  const auto moved = [&](int i, double first, int j, double second) {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(tree.nv()), at = q;
    step[i] += first * kStep;
    step[j] += second * kStep;
    integrate_in_world(step, at);
    return cost(at);
  };
  tree.update(q);
  equations.clear();
  for (const Point& point : points) {
    const Eigen::Vector3d x = tree.point(point.body, point.offset);
    equations.add(point.body, x, x - point.target, point.weight);
    equations.add_force(point.body, x, point.force);
  }
  Eigen::MatrixXd hessian(tree.nv(), tree.nv());
  Eigen::VectorXd gradient(tree.nv());
  equations.sum_up(hessian, gradient, PointEquations::Curvature::exact);
  for (int i = 0; i < tree.nv(); ++i) {
    EXPECT_NEAR((moved(i, 1.0, i, 0.0) - moved(i, -1.0, i, 0.0)) / (2.0 * kStep), gradient[i], 1e-5) << i;
    for (int j = 0; j <= i; ++j) {
      const double numeric =
          (moved(i, 1.0, j, 1.0) - moved(i, 1.0, j, -1.0) - moved(i, -1.0, j, 1.0) + moved(i, -1.0, j, -1.0)) /
          (4.0 * kStep * kStep);
      EXPECT_NEAR(numeric, hessian(i, j), 1e-4) << i << " " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, TreeOfARobot, testing::Values("sarcos", "coman", "hoap3"));

}  // namespace
}  // namespace aplomb
