#include "aplomb/identify/estimate/entropic_prior.hpp"

#include <gtest/gtest.h>

#include "aplomb/identify/estimate.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "robot/random_robot.hpp"

namespace aplomb {
namespace {

void expect_derivatives(const EntropicPrior& prior, const Eigen::VectorXd& phi) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(phi.size());
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(phi.size(), phi.size());
  prior.add_derivatives(phi, 1.0, gradient, hessian);
  constexpr double kStep = 1e-5;
  for (Eigen::Index i = 0; i < phi.size(); ++i) {
    const Eigen::VectorXd step = kStep * Eigen::VectorXd::Unit(phi.size(), i);
    EXPECT_NEAR(gradient[i], (prior.value(phi + step) - prior.value(phi - step)) / (2 * kStep),
                1e-5 * (1 + std::abs(gradient[i])));
    Eigen::VectorXd ahead = Eigen::VectorXd::Zero(phi.size()), behind = ahead;
    Eigen::MatrixXd unused = hessian;
    prior.add_derivatives(phi + step, 1.0, ahead, unused);
    prior.add_derivatives(phi - step, 1.0, behind, unused);
    EXPECT_LT((hessian.col(i) - (ahead - behind) / (2 * kStep)).norm(), 1e-4 * (1 + hessian.col(i).norm()));
  }
}

TEST(EntropicPrior, DerivativesAreThoseOfTheValue) {
  EntropicPrior prior;
  prior.add_static(0, test::random_inertia(1));
  prior.add_full(4, test::random_inertia(2));
  prior.add_planar(14, 3.0, {0.1, -0.2}, (Eigen::Matrix2d() << 0.4, 0.1, 0.1, 0.3).finished());
  Eigen::VectorXd phi(17);
  phi << to_parameters(test::random_inertia(3)).head<4>(), to_parameters(test::random_inertia(4)), 2.0, 0.3, 0.1;
  expect_derivatives(prior, phi);
}

TEST(EntropicPrior, AtRestItEqualsTheFullPriorWithTheBestSecondMoment) {
  const Inertia cad = test::random_inertia(5), other = test::random_inertia(6);
  EntropicPrior prior;
  prior.add_static(0, cad);
  Eigen::VectorXd phi = to_parameters(other).head<4>();
  // The same mass and CoM with the CAD's second moment about the CoM, and any other: that one is farther away.
  Inertia best = cad;
  best.mass = other.mass;
  best.com = other.com;
  const Eigen::Matrix4d P0 = pseudo_inertia(to_parameters(cad));
  const double smallest = entropic_divergence(pseudo_inertia(to_parameters(best)), P0);
  EXPECT_NEAR(prior.value(phi), smallest, 1e-3 * smallest);  // links are taken to be 5 mm thicker than they are
  for (double scale : {0.9, 1.1}) {
    Inertia worse = best;
    worse.about_com *= scale;
    EXPECT_GT(entropic_divergence(pseudo_inertia(to_parameters(worse)), P0), smallest);
  }
}

TEST(EntropicPrior, KeepsEveryLinkPhysicallyConsistentWhateverTheData) {
  EntropicPrior prior;
  const Inertia cad = test::random_inertia(7);
  prior.add_full(0, cad);
  NormalEquations equations(10);
  equations.add(1e3 * Eigen::MatrixXd::Identity(10, 10), -1e3 * to_parameters(cad));  // data that ask for minus the CAD
  const Estimate estimate = entropic_estimate(equations, prior, 1e-3, to_parameters(cad));
  EXPECT_TRUE(estimate.is_converged);
  EXPECT_TRUE(is_feasible(LinkParameters(estimate.phi)));
}

TEST(EntropicPrior, WithoutDataTheEstimateIsTheCad) {
  EntropicPrior prior;
  const Inertia cad = test::random_inertia(8);
  prior.add_static(0, cad);
  const Estimate estimate = entropic_estimate(NormalEquations(4), prior, 1.0, 3.0 * to_parameters(cad).head<4>());
  EXPECT_LT((estimate.phi - to_parameters(cad).head<4>()).norm(), 1e-6);
}

TEST(EntropicPrior, DeterminesUnidentifiableDirectionsHoweverExactTheData) {
  // Rows of a millionth of noise: |y|² is 1e14 times what the prior says, and must not drown it.
  const Inertia cad = test::random_inertia(9), other = test::random_inertia(10);
  EntropicPrior prior;
  prior.add_static(0, cad);
  const Eigen::VectorXd truth = to_parameters(other).head<4>();
  const Eigen::MatrixXd seen = 1e6 * Eigen::MatrixXd::Identity(2, 4);  // m and hx
  NormalEquations equations(4);
  for (const double noise : {-1.0, 1.0}) equations.add(seen, seen * truth + noise * Eigen::Vector2d::Ones());
  const Estimate estimate = entropic_estimate(equations, prior, 1.0, to_parameters(cad).head<4>());
  EXPECT_TRUE(estimate.is_converged);
  EXPECT_LT((estimate.phi - truth).head<2>().norm(), 1e-6);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(4);
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(4, 4);
  prior.add_derivatives(estimate.phi, 1.0, gradient, hessian);
  EXPECT_LT(gradient.tail<2>().norm(), 1e-6 * gradient.norm());
}

}  // namespace
}  // namespace aplomb
