#include "aplomb/control/contact/contact_consistent_velocity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "control/force_problems.hpp"

namespace aplomb {
namespace {

using test::RandomForceProblem;

Eigen::MatrixXd stacked(const ForceProblem& problem, int nv) {
  Eigen::MatrixXd J(problem.num_force_rows(), nv);
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    J.middleRows(row, contact.num_rows()) = contact.jacobian;
    row += contact.num_rows();
  }
  return J;
}

/// Contact-consistent velocity after one tick at rest and one with `v`, so that all contact motion is fast.
Eigen::VectorXd contact_consistent(const RandomForceProblem& random, const Eigen::VectorXd& v) {
  ContactConsistentVelocity contact_velocity(random.problem, random.robot.nv());
  contact_velocity.update(random.terms, Eigen::VectorXd::Zero(v.size()), random.problem);
  return contact_velocity.update(random.terms, v, random.problem);
}

TEST(ContactConsistentVelocity, RemovesTheFastMotionOfTheContactsAndNothingElse) {
  for (unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const RandomForceProblem random(seed);
    const Eigen::VectorXd& v = random.state.v;
    const Eigen::MatrixXd J = stacked(random.problem, random.robot.nv());
    const Eigen::VectorXd left = contact_consistent(random, v);
    EXPECT_LT((J * left).norm(), 1e-3 * (J * v).norm());  // (1 ms / 50 ms)² of it passes the two low-passes
    // The removed part is one that contact forces produce: no momentum along motions that keep the contacts at rest.
    const Eigen::MatrixXd free = J.fullPivLu().kernel();
    EXPECT_LT((free.transpose() * random.terms.mass_matrix() * (v - left)).norm(), 1e-9);
  }
}

TEST(ContactConsistentVelocity, KeepsAMotionWithoutContactVelocity) {
  const RandomForceProblem random(6);
  const Eigen::MatrixXd free = stacked(random.problem, random.robot.nv()).fullPivLu().kernel();
  const Eigen::VectorXd v = free * Eigen::VectorXd::Ones(free.cols());
  EXPECT_LT((contact_consistent(random, v) - v).norm(), 1e-9 * v.norm());
}

TEST(ContactConsistentVelocity, KeepsTheSlowMotionOfASupport) {
  const RandomForceProblem random(7);
  ContactConsistentVelocity contact_velocity(random.problem, random.robot.nv());
  Eigen::VectorXd left;
  for (int i = 0; i < 1000; ++i) left = contact_velocity.update(random.terms, random.state.v, random.problem);
  EXPECT_LT((left - random.state.v).norm(), 1e-6);
}

TEST(ContactConsistentVelocity, IgnoresFreeContacts) {
  RandomForceProblem random(8);
  for (ForceContact& contact : random.problem.contacts) contact.role = ContactRole::free;
  EXPECT_LT((contact_consistent(random, random.state.v) - random.state.v).norm(), 1e-12);
}

}  // namespace
}  // namespace aplomb
