#include "aplomb/report/unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "aplomb/core/metric_names.hpp"

namespace aplomb {
namespace {

TEST(Unit, IsTheSuffixOfTheName) {
  EXPECT_EQ(unit_of("com_error_end_m"), "m");
  EXPECT_EQ(unit_of("torque_jump_max_nm"), "N m");
  EXPECT_EQ(unit_of("joint_speed_max_rad_per_s"), "rad/s");
  EXPECT_EQ(unit_of("hand_force_rmse_n"), "N");
  EXPECT_EQ(unit_of("frames_per_s"), "1/s");
  EXPECT_EQ(unit_of("mass_from_plates_kg"), "kg");
}

TEST(Unit, IsBeforeTheSuffixOfAStatistic) {
  EXPECT_EQ(unit_of("control_cycle_us_p99"), "µs");
  EXPECT_EQ(unit_of("com_error_end_m_mean"), "m");
}

TEST(Unit, IsEmptyWhereTheNameHasNone) {
  for (const char* name : {"fell", "sim_warnings", "torque_peak_ratio", "rises", "law", "frames", "runs", "m", ""}) {
    EXPECT_EQ(unit_of(name), "") << name;
  }
}

TEST(Unit, AgreesWithTheTableOfMetrics) {
  const auto check = [](const MetricInfo& info) {
    std::string unit = info.unit == "-" ? "" : info.unit == "us" ? "µs" : std::string(info.unit);
    for (const auto& [plain, raised] : {std::pair("^2", "²"), std::pair("^3", "³")}) {
      if (unit.ends_with(plain)) unit.replace(unit.size() - 2, 2, raised);
    }
    EXPECT_EQ(unit_of(info.name), unit) << info.name;
  };
  for (const MetricGroup& group : metric_groups()) std::ranges::for_each(group.metrics, check);
  std::ranges::for_each(timing_metrics(), check);
}

TEST(AxisLabel, HasTheUnitInBrackets) {
  EXPECT_EQ(axis_label("time_s"), "time [s]");
  EXPECT_EQ(axis_label("left_cop_x_m"), "left cop x [m]");
  EXPECT_EQ(axis_label("frame"), "frame");
}

}  // namespace
}  // namespace aplomb
