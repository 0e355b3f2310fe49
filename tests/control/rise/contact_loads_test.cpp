#include "aplomb/control/rise/contact_loads.hpp"

#include <gtest/gtest.h>

#include "aplomb/solvers/optimality.hpp"
#include "control/random_contacts.hpp"
#include "support/allocation_count.hpp"

namespace aplomb {
namespace {

using test::kCom;
using test::kWeight;

/// Two feet and a point behind them that can push up, as a seat does.
struct Sitter {
  explicit Sitter(std::mt19937_64& engine) : contacts(test::two_feet(engine, 0.2)) {
    Contact seat;
    seat.point = seat.centre = {-0.3, 0.0, 0.45};
    seat.friction = 0.4;
    seat.availability = 1.0;
    contacts.push_back(seat);
  }
  std::vector<BalanceContacts::Site> sites{
      {FrameId{}, kLeft, false}, {FrameId{}, kRight, false}, {FrameId{}, kLeft, true}};
  std::vector<Contact> contacts;
  std::vector<ContactLoad> planned = std::vector<ContactLoad>(3), loads = std::vector<ContactLoad>(3);
};

TEST(ContactLoads, AreOptimalAndInsideTheirLimitsForAnyDesiredRate) {
  std::mt19937_64 engine(21);
  for (int i = 0; i < 500; ++i) {
    Sitter sitter(engine);
    sitter.contacts[2].largest_force = 0.4 * kWeight;
    sitter.planned[2].force.z() = 0.2 * kWeight;
    ContactLoads wrenches(sitter.sites, kCom.z());
    const MomentumRate wanted = test::random_rate(engine, 800.0, 300.0);  // far beyond the admissible rates
    ASSERT_EQ(wrenches.solve(sitter.contacts, sitter.planned, kCom, kWeight, wanted, sitter.loads),
              SolveStatus::solved);
    EXPECT_LT(check_optimality(wrenches.problem(), wrenches.solution()).worst(), 1e-7);
    for (std::size_t k = 0; k < 3; ++k) {
      const Contact& contact = sitter.contacts[k];
      const Eigen::Vector3d force = contact.R_world_contact.transpose() * sitter.loads[k].force;
      EXPECT_LE(std::abs(force.x()) + std::abs(force.y()), contact.friction * force.z() + 1e-9 * kWeight);
      EXPECT_LE(std::abs(sitter.loads[k].cop.x()), contact.half_length + 1e-9);
      EXPECT_LE(std::abs(sitter.loads[k].cop.y()), contact.half_width + 1e-9);
    }
    EXPECT_LE(sitter.loads[2].force.z(), 2.0 * 0.4 * kWeight + 1e-9);
  }
}

TEST(ContactLoads, ShareTheLoadAsPlannedWhereTheRatesAllowIt) {
  std::mt19937_64 engine(22);
  Sitter sitter(engine);
  for (const double seat : {0.7, 0.3, 0.0}) {
    // The planned loads themselves hold the body still, so that they are the answer.
    sitter.planned[2].force = {0.0, 0.0, seat * kWeight};
    const double moment = (sitter.contacts[2].point - kCom).cross(sitter.planned[2].force).y();
    MomentumRate wanted;
    for (std::size_t k = 0; k < 2; ++k) {
      sitter.contacts[k].R_world_contact.setIdentity();
      sitter.planned[k].force = {0.0, 0.0, 0.5 * (1.0 - seat) * kWeight};
      sitter.planned[k].moment.setZero();
      wanted.angular += (sitter.contacts[k].point - kCom).cross(sitter.planned[k].force);
    }
    wanted.angular.y() += moment;
    ContactLoads wrenches(sitter.sites, kCom.z());
    ASSERT_EQ(wrenches.solve(sitter.contacts, sitter.planned, kCom, kWeight, wanted, sitter.loads),
              SolveStatus::solved);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT((sitter.loads[k].force - sitter.planned[k].force).norm(), 1e-3 * kWeight) << seat;
    }
  }
}

TEST(ContactLoads, DependContinuouslyOnTheSeatsLimit) {
  std::mt19937_64 engine(23);
  Sitter sitter(engine);
  ContactLoads wrenches(sitter.sites, kCom.z());
  const MomentumRate wanted = test::random_rate(engine, 100.0, 30.0);
  double before = 0.0;
  constexpr int kSteps = 400;
  for (int i = 0; i <= kSteps; ++i) {  // the seat is released
    const double left = 1.0 - static_cast<double>(i) / kSteps;
    sitter.contacts[2].largest_force = 0.5 * left * kWeight;
    sitter.planned[2].force.z() = 0.25 * left * kWeight;
    ASSERT_EQ(wrenches.solve(sitter.contacts, sitter.planned, kCom, kWeight, wanted, sitter.loads),
              SolveStatus::solved);
    if (i > 0) {
      EXPECT_LT(std::abs(sitter.loads[0].force.z() - before), 0.02 * kWeight) << i;
    }
    before = sitter.loads[0].force.z();
  }
  EXPECT_NEAR(sitter.loads[2].force.norm(), 0.0, 1e-9);
}

TEST(ContactLoads, ASolveDoesNotAllocate) {
  SKIP_UNLESS_COUNTED();
  std::mt19937_64 engine(24);
  Sitter sitter(engine);
  ContactLoads wrenches(sitter.sites, kCom.z());
  std::vector<MomentumRate> wanted;
  for (int i = 0; i < 20; ++i) wanted.push_back(test::random_rate(engine, 800.0, 300.0));
  wrenches.solve(sitter.contacts, sitter.planned, kCom, kWeight, wanted[0], sitter.loads);
  const test::AllocationCount allocations;
  for (const MomentumRate& one : wanted) {
    wrenches.solve(sitter.contacts, sitter.planned, kCom, kWeight, one, sitter.loads);
  }
  EXPECT_EQ(allocations.since_start(), 0);
}

}  // namespace
}  // namespace aplomb
