#include "aplomb/retarget/repair/stance_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aplomb {
namespace {

constexpr double kRate = 50.0;

/// Two soles whose left one is in stance in `left`, the right one in `right`; centres as given.
std::array<FootTrack, 2> tracks(const std::vector<bool>& left, const std::vector<bool>& right) {
  std::array<FootTrack, 2> feet;
  const auto frames = static_cast<Eigen::Index>(left.size());
  for (std::size_t side = 0; side < 2; ++side) {
    FootTrack& foot = feet[side];
    foot.stance = side == 0 ? left : right;
    foot.lowest.assign(left.size(), 0.01);
    foot.centre.setZero(3, frames);
    foot.centre.row(1).setConstant(side == 0 ? 0.1 : -0.1);
    foot.velocity = Eigen::Matrix3Xd::Zero(3, frames);
    foot.forward.resize(3, frames);
    foot.forward.colwise() = Eigen::Vector3d::UnitX();
    foot.normal.resize(3, frames);
    foot.normal.colwise() = Eigen::Vector3d::UnitZ();
  }
  return feet;
}

std::vector<bool> on(int frames, std::initializer_list<std::pair<int, int>> intervals) {
  std::vector<bool> stance(static_cast<std::size_t>(frames), false);
  for (const auto& [begin, end] : intervals) std::fill(stance.begin() + begin, stance.begin() + end, true);
  return stance;
}

TEST(StancePlan, AFootStandsAtItsMeanPlaceAndHeading) {
  auto feet = tracks(on(20, {{0, 20}}), on(20, {{0, 20}}));
  for (int i = 0; i < 20; ++i) {
    feet[0].centre(0, i) = 0.01 * i;
    feet[0].forward.col(i) << std::cos(3.1 + 0.01 * i), std::sin(3.1 + 0.01 * i), 0.0;  // over the end of the circle
  }
  const StancePlan plan = plan_stances(feet, std::vector<char>(20, 1), kRate, {});
  ASSERT_EQ(plan.stances.size(), 2u);
  EXPECT_NEAR(plan.stances[0].place.x(), 0.095, 1e-12);
  EXPECT_NEAR(plan.stances[0].heading, 3.1 + 0.095, 1e-9);
  EXPECT_FALSE(plan.stances[0].pivots);
  EXPECT_TRUE(plan.flights.empty());
}

TEST(StancePlan, AFootThatTurnsFarPivots) {
  auto feet = tracks(on(20, {{0, 20}}), on(20, {{0, 20}}));
  for (int i = 0; i < 20; ++i) feet[1].forward.col(i) << std::cos(0.05 * i), std::sin(0.05 * i), 0.0;
  const StancePlan plan = plan_stances(feet, std::vector<char>(20, 1), kRate, {});
  EXPECT_FALSE(plan.stances[0].pivots);
  EXPECT_TRUE(plan.stances[1].pivots);
}

TEST(StancePlan, AShortSmallMovementDoesNotLiftAFoot) {
  const auto feet = tracks(on(30, {{0, 12}, {15, 30}}), on(30, {{0, 30}}));
  const StancePlan plan = plan_stances(feet, std::vector<char>(30, 1), kRate, {});
  EXPECT_EQ(plan.at[0][13], 0);
  auto far = feet;
  for (int i = 15; i < 30; ++i) far[0].centre(0, i) = 0.2;
  EXPECT_EQ(plan_stances(far, std::vector<char>(30, 1), kRate, {}).at[0][13], -1);
}

TEST(StancePlan, AGapIsClosedByTheFeetThatAreNearestAndFreeFlightIsNot) {
  // The left foot leaves at frame 10, the right one lands at 16; from frame 13 on the left one is far away.
  auto feet = tracks(on(30, {{0, 10}}), on(30, {{16, 30}}));
  for (int i = 13; i < 30; ++i) feet[0].centre(0, i) = 0.5;
  for (int i = 0; i < 13; ++i) feet[1].centre(0, i) = -0.5;
  const StancePlan plan = plan_stances(feet, std::vector<char>(30, 1), kRate, {});
  EXPECT_EQ(plan.at[0][12], 0);
  EXPECT_EQ(plan.at[0][13], -1);
  EXPECT_EQ(plan.at[1][12], -1);
  EXPECT_EQ(plan.at[1][13], 1);
  EXPECT_TRUE(plan.flights.empty());
  const StancePlan flight = plan_stances(feet, std::vector<char>(30, 0), kRate, {});
  ASSERT_EQ(flight.flights.size(), 1u);
  EXPECT_EQ(flight.flights[0], std::make_pair(Eigen::Index{10}, Eigen::Index{16}));
}

TEST(StancePlan, AGapThatNoFootCanCloseIsNamed) {
  auto feet = tracks(on(30, {{0, 10}}), on(30, {{16, 30}}));
  for (int i = 0; i < 30; ++i) {
    if (i >= 10) feet[0].centre(0, i) = 0.5;
    if (i < 16) feet[1].centre(0, i) = 0.5;
  }
  EXPECT_EQ(plan_stances(feet, std::vector<char>(30, 1), kRate, {}).flights.size(), 1u);
}

}  // namespace
}  // namespace aplomb
