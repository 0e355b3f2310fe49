#include "aplomb/control/contact/load_cells.hpp"

#include <gtest/gtest.h>

#include <random>

#include "aplomb/robot/robot_terms.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Cell forces of a pressure that is linear over the sole, as under a rigid foot on equal springs.
std::array<double, 4> linear_pressure(const Sole& sole, double force, const Eigen::Vector2d& zmp) {
  const Eigen::Vector2d off = zmp - sole.centre().head<2>();
  const double x = off.x() / (0.5 * (sole.x_max - sole.x_min)), y = off.y() / (0.5 * (sole.y_max - sole.y_min));
  const double mean = 0.25 * force;
  return {mean * (1 + x + y), mean * (1 + x - y), mean * (1 - x + y), mean * (1 - x - y)};
}

class LoadCellsOfHoap3 : public testing::Test {
 protected:
  LoadCellsOfHoap3() {
    for (int side : {kLeft, kRight}) readings_.load_cells[side] = cells(side, 43.0);
  }
  /// Cell readings in the order of the robot's channels.
  std::array<double, 4> cells(int side, double force) const {
    const std::array<double, 4> corners = linear_pressure(sole(side), force, zmp(side));
    const auto order = sole(side).corner_order(robot_.description().load_cells[side]).value();
    std::array<double, 4> read{};
    for (std::size_t i = 0; i < 4; ++i) read[i] = corners[order[i]];
    return read;
  }
  const Sole& sole(int side) const { return *robot_.description().soles[side]; }
  Eigen::Vector2d zmp(int side) const { return sole(side).centre().head<2>() + Eigen::Vector2d(0.01, 0.005); }

  const RobotModel robot_ = test::our_robot("hoap3");
  LoadCells cells_{robot_};
  SensorReadings readings_;
  Fallbacks fallbacks_;
};

TEST_F(LoadCellsOfHoap3, GiveTheZmpOfTheTrueWrench) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> normal(0.0, 30.0), shear(-10.0, 10.0);
  for (int i = 0; i < 1000; ++i) {
    const int side = i % 2;
    Wrench wrench;  // wrench of the cell forces, with arbitrary shear, about the foot's origin
    std::array<double, 4> cells{};
    for (std::size_t corner = 0; corner < 4; ++corner) {
      const Eigen::Vector3d force(shear(engine), shear(engine), normal(engine));
      cells[corner] = force.z();
      wrench.force += force;
      wrench.moment += sole(side).corners()[corner].cross(force);
    }
    const FootLoad load = foot_load(sole(side), cells);
    EXPECT_NEAR(load.force, wrench.force.z(), 1e-9);
    EXPECT_LT((load.zmp - centre_of_pressure(wrench, sole(side).z)).norm(), 1e-9);
  }
}

TEST_F(LoadCellsOfHoap3, ShareTheLoadAlsoWhenOneOrNoFootIsLoaded) {
  cells_.update(readings_, fallbacks_);
  EXPECT_NEAR(cells_.left_share(), 0.5, 1e-12);
  readings_.load_cells[kRight].fill(0.0);
  cells_.update(readings_, fallbacks_);
  EXPECT_EQ(cells_.left_share(), 1.0);
  EXPECT_TRUE(cells_.are_trusted());
  readings_.load_cells[kLeft].fill(0.0);
  cells_.update(readings_, fallbacks_);
  EXPECT_EQ(cells_.left_share(), 0.5);
  EXPECT_FALSE(cells_.is_loaded());
  for (int side : {kLeft, kRight}) EXPECT_EQ(cells_.foot(side).zmp, sole(side).centre().head<2>());
}

TEST_F(LoadCellsOfHoap3, ReplaceOneBrokenCellFromTheOthers) {
  for (double broken : {0.0, kNan, std::numeric_limits<double>::infinity()}) {
    for (std::size_t cell = 0; cell < 4; ++cell) {
      SensorReadings readings = readings_;
      readings.load_cells[kLeft][cell] = broken;
      for (int tick = 0; tick < 50; ++tick) cells_.update(readings, fallbacks_);
      EXPECT_TRUE(cells_.is_trusted(kLeft));
      EXPECT_NEAR(cells_.foot(kLeft).force, 43.0, 1e-9);
      EXPECT_LT((cells_.foot(kLeft).zmp - zmp(kLeft)).norm(), 1e-9);
    }
  }
  EXPECT_TRUE(cells_.repaired_since_s[kLeft].has_value());
}

TEST_F(LoadCellsOfHoap3, AreTrustedWhenAFootStandsOnThreeOfItsCorners) {
  // The loads add up to the whole weight, so that no load is missing at the fourth cell.
  const double weight = robot_.mass() * kGravity;
  readings_.load_cells[kLeft] = {0.2 * weight, 0.2 * weight, 0.1 * weight, 0.0};
  readings_.load_cells[kRight].fill(0.125 * weight);
  for (int tick = 0; tick < 1000; ++tick) cells_.update(readings_, fallbacks_);
  EXPECT_FALSE(cells_.repaired_since_s[kLeft].has_value());
  EXPECT_NEAR(cells_.foot(kLeft).force, 0.5 * weight, 1e-9);
}

TEST_F(LoadCellsOfHoap3, AreNotTrustedWithTwoBrokenCellsOrALostSensor) {
  SensorReadings two = readings_, lost = readings_;
  two.load_cells[kRight][0] = two.load_cells[kRight][3] = kNan;
  cells_.update(two, fallbacks_);
  EXPECT_FALSE(cells_.is_trusted(kRight));
  EXPECT_TRUE(cells_.is_trusted(kLeft));
  lost.is_lost[static_cast<std::size_t>(Sensor::left_load_cells)] = true;
  cells_.update(lost, fallbacks_);
  EXPECT_FALSE(cells_.is_trusted(kLeft));
  cells_.update(readings_, fallbacks_);
  EXPECT_TRUE(cells_.are_trusted());
  EXPECT_TRUE(std::isfinite(cells_.total_force()));
}

TEST_F(LoadCellsOfHoap3, AreNotTrustedWhileTheyRepeatTheirValuesAndTheOtherFootDoesNot) {
  for (int tick = 0; tick < 100; ++tick) {
    readings_.load_cells[kRight] = cells(kRight, 43.0 + 0.1 * tick);
    cells_.update(readings_, fallbacks_);
    EXPECT_EQ(cells_.is_trusted(kLeft), tick < 50) << tick;
  }
  EXPECT_TRUE(cells_.frozen_since_s[kLeft].has_value());
  readings_.load_cells[kLeft][0] += 0.01;
  cells_.update(readings_, fallbacks_);
  EXPECT_TRUE(cells_.is_trusted(kLeft));
}

TEST_F(LoadCellsOfHoap3, AreTrustedWhenNothingMoves) {
  for (int tick = 0; tick < 1000; ++tick) cells_.update(readings_, fallbacks_);
  EXPECT_TRUE(cells_.are_trusted());
}

}  // namespace
}  // namespace aplomb
