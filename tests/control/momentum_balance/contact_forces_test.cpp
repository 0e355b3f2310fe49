#include "aplomb/control/momentum_balance/contact_forces.hpp"

#include <gtest/gtest.h>

#include "aplomb/control/momentum_balance/contact_cops.hpp"
#include "aplomb/solvers/optimality.hpp"
#include "control/random_contacts.hpp"

namespace aplomb {
namespace {

using test::kCom;
using test::kWeight;

constexpr ContactForces::Mode kModes[] = {ContactForces::Mode::lexicographic, ContactForces::Mode::weighted};

TEST(ContactForces, StayInsideEachGroundsPyramidAndAreOptimal) {
  std::mt19937_64 engine(11);
  for (ContactForces::Mode mode : kModes) {
    ContactForces forces(mode, {}, 2);
    std::vector<ContactLoad> loads(2);
    for (int i = 0; i < 2000; ++i) {
      const std::vector<Contact> feet = test::two_feet(engine, 0.3);
      const MomentumRate wanted = test::random_rate(engine, 800.0, 300.0);  // far beyond the admissible rates
      ASSERT_EQ(forces.solve(feet, kCom, kWeight, wanted, loads), SolveStatus::solved);
      EXPECT_LT(check_optimality(forces.problem(), forces.solution()).worst(), 1e-9);
      for (std::size_t side = 0; side < 2; ++side) {
        const Eigen::Vector3d force = feet[side].R_world_contact.transpose() * loads[side].force;
        // The pyramid with edges along x and y: |f_x| + |f_y| ≤ μ f_z. It holds up to rounding.
        EXPECT_GE(force.z(), 0.0);
        EXPECT_LE(std::abs(force.x()) + std::abs(force.y()), 0.8 * force.z() + 1e-9 * kWeight);
      }
    }
  }
}

TEST(ContactForces, LexicographicNeverTradesLinearForAngularRate) {
  std::mt19937_64 engine(12);
  ContactForces with_angular(ContactForces::Mode::lexicographic, {}, 2),
      without(ContactForces::Mode::lexicographic, {}, 2);
  std::vector<ContactLoad> loads(2), other(2);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Contact> feet = test::two_feet(engine, 0.2);
    MomentumRate wanted = test::random_rate(engine, 400.0, 500.0);
    with_angular.solve(feet, kCom, kWeight, wanted, loads);
    const double error = (test::rate_of(feet, loads).linear - wanted.linear).norm();
    const Eigen::Vector3d linear = wanted.linear;
    wanted.angular.setZero();
    without.solve(feet, kCom, kWeight, wanted, other);
    EXPECT_NEAR(error, (test::rate_of(feet, other).linear - linear).norm(), 1e-7 * kWeight);
  }
}

TEST(ContactForces, AnUnavailableFootCarriesNothingAndOneBeingAddedCarriesLittle) {
  std::mt19937_64 engine(13);
  ContactForces forces(ContactForces::Mode::lexicographic, {}, 2);
  std::vector<ContactLoad> loads(2);
  std::vector<Contact> feet = test::two_feet(engine, 0.0);
  feet[1].availability = 0.0;
  forces.solve(feet, kCom, kWeight, {}, loads);
  EXPECT_EQ(loads[1].force.norm(), 0.0);
  EXPECT_NEAR(loads[0].force.z(), kWeight, 1e-6);
  feet[1].availability = 0.01;
  forces.solve(feet, kCom, kWeight, {}, loads);
  EXPECT_LE(loads[1].force.z(), 4 * 3.0 * 0.01 * kWeight + 1e-9);
}

TEST(ContactForces, TheWeightedModeSolvesTheRowsOfTheFootnote) {
  // Inside the pyramids the forces are those of the plain least-squares problem whose rows are, as the footnote stacks
  // them, l̇ − l̇*, w (k̇_f − k̇*) and ε f: in the cost, w and ε are squared.
  constexpr double kAngular = 0.1, kForce = 0.01;
  std::mt19937_64 engine(14);
  ContactForces weighted(ContactForces::Mode::weighted, {.angular = kAngular, .force = kForce}, 2);
  std::vector<ContactLoad> loads(2);
  int num_inside = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Contact> feet = test::two_feet(engine, 0.1);
    const MomentumRate wanted = test::random_rate(engine, 40.0, 8.0);
    ASSERT_EQ(weighted.solve(feet, kCom, kWeight, wanted, loads), SolveStatus::solved);
    const auto& states = weighted.solution().state;
    if (std::ranges::any_of(states, [](BoundState state) { return state != BoundState::free; })) continue;
    ++num_inside;
    Eigen::Matrix<double, 12, 6> rows = Eigen::Matrix<double, 12, 6>::Zero();
    Eigen::Matrix<double, 12, 1> right = Eigen::Matrix<double, 12, 1>::Zero();
    right.head<3>() = wanted.linear + Eigen::Vector3d(0.0, 0.0, kWeight);
    right.segment<3>(3) = kAngular * wanted.angular;
    for (int side = 0; side < 2; ++side) {
      const Eigen::Vector3d arm = feet[static_cast<std::size_t>(side)].point - kCom;
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d unit = Eigen::Vector3d::Unit(axis);
        rows.col(3 * side + axis).head<3>() = unit;
        rows.col(3 * side + axis).segment<3>(3) = kAngular * arm.cross(unit);
        rows(6 + 3 * side + axis, 3 * side + axis) = kForce;
      }
    }
    const Eigen::Matrix<double, 6, 1> expected = rows.colPivHouseholderQr().solve(right);
    for (int side = 0; side < 2; ++side) {
      // The tie among edges of one force costs 1e-6 in the rows, the forces 1e-2: their ratio squared is 1e-8.
      EXPECT_LT((loads[static_cast<std::size_t>(side)].force - expected.segment<3>(3 * side)).norm(), 1e-5 * kWeight);
    }
    EXPECT_GT(kWeight + wanted.linear.z() - loads[0].force.z() - loads[1].force.z(), 1e-5 * kWeight);  // the sag of ε
  }
  EXPECT_GT(num_inside, 100);
}

TEST(ContactForces, OnOneFootTheWeightedModeKeepsTheLinearRateAndGivesUpTheAngularOne) {
  // Section III-B.1: force and CoP follow from the desired rates; a CoP outside is moved to the edge.
  std::mt19937_64 engine(18);
  ContactForces forces(ContactForces::Mode::weighted, {}, 2);
  ContactCops cops(ContactCops::Mode::weighted, 0.01, 2);
  std::vector<ContactLoad> loads(2);
  int num_at_edge = 0, num_inside = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<Contact> feet = test::two_feet(engine, 0.1);
    feet[1].availability = 0.0;
    const MomentumRate wanted = test::random_rate(engine, 40.0, 40.0);
    ASSERT_EQ(forces.solve(feet, kCom, kWeight, wanted, loads), SolveStatus::solved);
    ASSERT_EQ(cops.solve(feet, kCom, wanted.angular, loads), SolveStatus::solved);
    const MomentumRate admitted = test::rate_of(feet, loads);
    EXPECT_LT((admitted.linear - wanted.linear).norm(), 1e-6 * kWeight);
    EXPECT_EQ(loads[1].force.norm(), 0.0);
    const auto& states = cops.solution().state;
    if (std::all_of(states.begin(), states.begin() + 3, [](BoundState it) { return it == BoundState::free; })) {
      ++num_inside;
      EXPECT_LT((admitted.angular - wanted.angular).norm(), 1e-4);
    } else {
      ++num_at_edge;
      EXPECT_GT((admitted.angular - wanted.angular).norm(), 1e-3);
    }
  }
  EXPECT_GT(num_inside, 20);
  EXPECT_GT(num_at_edge, 20);
}

TEST(ContactCops, TheWeightedModeSolvesThePrintedProblemInMetres) {
  constexpr double kForce = 0.01;
  std::mt19937_64 engine(19);
  ContactForces forces(ContactForces::Mode::lexicographic, {}, 2);
  ContactCops cops(ContactCops::Mode::weighted, kForce, 2);
  std::vector<ContactLoad> loads(2);
  int num_inside = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<Contact> feet = test::two_feet(engine, 0.1);
    const MomentumRate wanted = test::random_rate(engine, 40.0, 8.0);
    forces.solve(feet, kCom, kWeight, wanted, loads);
    // (13) with η = (d_x, d_y, τ_n) of both feet about their points of application; rows of Ψ, then ε (η − η_d).
    Eigen::Matrix<double, 9, 6> rows = Eigen::Matrix<double, 9, 6>::Zero();
    Eigen::Matrix<double, 9, 1> right = Eigen::Matrix<double, 9, 1>::Zero();
    right.head<3>() = wanted.angular;
    for (int side = 0; side < 2; ++side) {
      const Contact& foot = feet[static_cast<std::size_t>(side)];
      const Eigen::Vector3d force = loads[static_cast<std::size_t>(side)].force;
      right.head<3>() -= (foot.point - kCom).cross(force);
      for (int axis = 0; axis < 2; ++axis) {
        rows.col(3 * side + axis).head<3>() = foot.R_world_contact.col(axis).cross(force);
      }
      rows.col(3 * side + 2).head<3>() = foot.R_world_contact.col(2);
      for (int k = 0; k < 3; ++k)
        rows(3 + 3 * side + k, 3 * side + k) = kForce;  // η_d = 0: the force acts at the centre
    }
    ASSERT_EQ(cops.solve(feet, kCom, wanted.angular, loads), SolveStatus::solved);
    const auto& states = cops.solution().state;
    if (std::ranges::any_of(states, [](BoundState state) { return state != BoundState::free; })) continue;
    ++num_inside;
    const Eigen::Matrix<double, 6, 1> eta = rows.colPivHouseholderQr().solve(right);
    for (int side = 0; side < 2; ++side) {
      EXPECT_LT((loads[static_cast<std::size_t>(side)].cop - eta.segment<2>(3 * side)).norm(), 1e-6);
    }
  }
  EXPECT_GT(num_inside, 50);
}

TEST(ContactCops, StayInsideTheSolesAndAreOptimal) {
  std::mt19937_64 engine(15);
  for (ContactCops::Mode mode : {ContactCops::Mode::lexicographic, ContactCops::Mode::weighted}) {
    ContactForces forces(ContactForces::Mode::lexicographic, {}, 2);
    ContactCops cops(mode, 0.01, 2);
    std::vector<ContactLoad> loads(2);
    for (int i = 0; i < 2000; ++i) {
      const std::vector<Contact> feet = test::two_feet(engine, 0.3);
      const MomentumRate wanted = test::random_rate(engine, 300.0, 200.0);
      forces.solve(feet, kCom, kWeight, wanted, loads);
      ASSERT_EQ(cops.solve(feet, kCom, wanted.angular, loads), SolveStatus::solved);
      EXPECT_LT(check_optimality(cops.problem(), cops.solution()).worst(), 1e-9);
      for (std::size_t side = 0; side < 2; ++side) {
        EXPECT_LE(std::abs(loads[side].cop.x()), feet[side].half_length * (1 + 1e-12));
        EXPECT_LE(std::abs(loads[side].cop.y()), feet[side].half_width * (1 + 1e-12));
      }
    }
  }
}

TEST(ContactCops, WithoutActiveLimitsTheAdmissibleRatesAreTheDesiredOnes) {
  std::mt19937_64 engine(16);
  ContactForces forces(ContactForces::Mode::lexicographic, {}, 2);
  ContactCops cops(ContactCops::Mode::lexicographic, 0.01, 2);
  std::vector<ContactLoad> loads(2);
  int num_free = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<Contact> feet = test::two_feet(engine, 0.15);
    const MomentumRate wanted = test::random_rate(engine, 40.0, 8.0);
    forces.solve(feet, kCom, kWeight, wanted, loads);
    cops.solve(feet, kCom, wanted.angular, loads);
    const auto& states = cops.solution().state;
    if (std::ranges::any_of(states, [](BoundState state) { return state != BoundState::free; })) continue;
    ++num_free;
    const MomentumRate admitted = test::rate_of(feet, loads);
    EXPECT_LT((admitted.linear - wanted.linear).norm(), 1e-6);
    EXPECT_LT((admitted.angular - wanted.angular).norm(), 1e-6);
  }
  EXPECT_GT(num_free, 300);
}

TEST(ContactCops, ASmallChangeOfTheDesiredRateNeverMovesACopFar) {
  // At the edge of the admissible rates, the CoP by the printed problem flips by centimetres from tick to tick (eq. 13
  // is singular in the directions in which the feet work against each other).
  std::mt19937_64 engine(17);
  ContactForces forces(ContactForces::Mode::lexicographic, {}, 2);
  ContactCops cops(ContactCops::Mode::lexicographic, 0.01, 2);
  std::vector<ContactLoad> loads(2), before(2);
  for (int i = 0; i < 50; ++i) {
    std::vector<Contact> feet = test::two_feet(engine, 0.0);
    for (int step = 0; step < 400; ++step) {
      for (Contact& foot : feet) {  // tiny rotations, as of a rocking sole
        foot.R_world_contact *= Eigen::AngleAxisd(1e-7, Eigen::Vector3d::UnitY()).toRotationMatrix();
      }
      const MomentumRate wanted{.linear = Eigen::Vector3d(-0.5 * step, 0.02 * step, 0.0),
                                .angular = Eigen::Vector3d(0.0, 0.05 * step, 0.0)};
      forces.solve(feet, kCom, kWeight, wanted, loads);
      cops.solve(feet, kCom, wanted.angular, loads);
      if (step > 0) {
        for (std::size_t side = 0; side < 2; ++side) EXPECT_LT((loads[side].cop - before[side].cop).norm(), 0.004);
      }
      before = loads;
    }
  }
}

}  // namespace
}  // namespace aplomb
