#include "aplomb/estimate/estimate_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// A log of a robot that stands on a slope.
class StandingLog : public testing::Test {
 protected:
  RobotModel robot_ = RobotModel::load("coman");
  RobotState state_ = robot_.posture("half_sitting");
  std::vector<std::string> left_out_;

  StandingLog() {
    state_.q.segment<4>(3) =
        (Eigen::Quaterniond(rotation_by({0.05, -0.03, 0.0})) * base_orientation(state_.q)).coeffs();
  }

  TableFile file(std::size_t rows, double period_s) const {
    std::vector<std::pair<std::string, double>> cells = {{"time_s", 0.0}};
    const auto add_xyz = [&cells](const std::string& stem, const std::string& unit, const Eigen::Vector3d& value) {
      for (int i = 0; i < 3; ++i) cells.emplace_back(stem + "_" + "xyz"[i] + "_" + unit, value[i]);
    };
    const Eigen::Quaterniond R = base_orientation(state_.q);
    add_xyz("imu_acceleration", "m_per_s2", R.conjugate() * Eigen::Vector3d(0.0, 0.0, kGravity));
    add_xyz("imu_angular_velocity", "rad_per_s", Eigen::Vector3d::Zero());
    for (int i = 0; i < robot_.num_joints(); ++i) {
      cells.emplace_back("position_" + robot_.joints()[static_cast<std::size_t>(i)].name + "_rad",
                         state_.q[kBaseQ + i]);
    }
    for (int i = 0; i < 4; ++i) cells.emplace_back(std::string("base_quaternion_") + "xyzw"[i], state_.q[3 + i]);
    std::vector<std::string> names;
    std::vector<double> row;
    for (const auto& [name, value] : cells) {
      if (std::ranges::find(left_out_, name) != left_out_.end()) continue;
      names.push_back(name);
      row.push_back(value);
    }
    TableFile table{.file = "robot.csv", .table = Log(names)};
    for (std::size_t i = 0; i < rows; ++i) {
      row[0] = static_cast<double>(i) * period_s;
      table.table.append(row);
    }
    return table;
  }
  EstimatedLog estimate(const TableFile& table) const {
    return estimate_log(table, robot_, {.imu = {.gyroscope = 1e-4, .accelerometer = 1e-3}});
  }
};

TEST_F(StandingLog, FindsTheTiltAtTheRateOfTheLog) {
  for (double period_s : {1e-3, 4e-3}) {
    const EstimatedLog estimated = estimate(file(600, period_s));
    EXPECT_EQ(estimated.log.num_rows(), 501u);
    EXPECT_LT(std::get<double>(*estimated.metrics.find("base_tilt_error_max_rad")), 1e-4);
    EXPECT_EQ(std::get<std::int64_t>(*estimated.metrics.find("slips")), 0);
    EXPECT_NEAR(std::get<double>(*estimated.metrics.find("duration_s")), 501 * period_s, 1e-9);
    EXPECT_EQ(estimated.notes.size(), 3u);  // no ankle wrenches, no units on the feet, no joint rates
    for (const std::string& column : estimated.log.columns()) {
      for (double value : estimated.log.column(column)) EXPECT_TRUE(std::isfinite(value)) << column;
    }
  }
}

TEST_F(StandingLog, NamesTheColumnsThatItNeeds) {
  const std::string joint = "position_" +
                            robot_
                                .joints()[static_cast<std::size_t>(
                                    robot_.joint_chain(robot_.frame(robot_.description().roles.foot[kLeft])).front())]
                                .name +
                            "_rad";
  left_out_ = {"imu_acceleration_y_m_per_s2", joint};
  const std::string error = test::error_of([&] { estimate(file(600, 1e-3)); });
  EXPECT_TRUE(test::has(error, "robot.csv"));
  EXPECT_TRUE(test::has(error, "imu_acceleration_y_m_per_s2"));
  EXPECT_TRUE(test::has(error, joint));
}

TEST_F(StandingLog, WithoutAMeasuredOrientationNoErrorIsClaimed) {
  left_out_ = {"base_quaternion_w"};
  const EstimatedLog estimated = estimate(file(300, 1e-3));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*estimated.metrics.find("base_tilt_error_max_rad")));
}

TEST_F(StandingLog, RefusesALogThatEndsTooEarlyOrHasNoTime) {
  EXPECT_TRUE(test::has(test::error_of([&] { estimate(file(60, 1e-3)); }), "needs 100 readings at rest"));
  EXPECT_TRUE(test::has(test::error_of([&] { estimate(file(1, 1e-3)); }), "fewer than two rows"));
  left_out_ = {"time_s"};
  EXPECT_THROW(estimate(file(60, 1e-3)), FileError);
}

}  // namespace
}  // namespace aplomb
