#include "aplomb/scenario/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/scenario/many/run_record.hpp"

namespace aplomb {
namespace {

/// Runs with `com_error_max_m` as given; null where it is NaN.
std::vector<RunRecord> runs_with(const std::vector<double>& values) {
  std::vector<RunRecord> records;
  for (const double value : values) {
    RunRecord record{.ok = true};
    record.metrics.set("com_error_max_m", std::isnan(value) ? MetricValue{} : MetricValue(value));
    records.push_back(record);
  }
  return records;
}

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();

TEST(Quantile, IsLinearBetweenTheOrderStatistics) {
  const std::vector<double> values = {1.0, 2.0, 4.0, 8.0, 16.0};
  for (int i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(quantile(values, i / 4.0), values[static_cast<std::size_t>(i)]);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.4);   // 0.4 of the way from the first to the second
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 12.8);  // 0.6 of the way from the fourth to the fifth
  EXPECT_EQ(quantile({3.0}, 0.1), 3.0);
}

TEST(Statistics, AreTakenOverTheRunsInWhichTheMetricExists) {
  const std::vector<MetricStatistics> all = statistics_of(runs_with({4.0, kNull, 1.0, kNull, 2.0}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].ascending, (std::vector<double>{1.0, 2.0, 4.0}));
  Metrics metrics;
  set_statistics(all[0], metrics);
  EXPECT_EQ(metrics.number("com_error_max_m_min"), 1.0);
  EXPECT_EQ(metrics.number("com_error_max_m_p50"), 2.0);
  EXPECT_EQ(metrics.number("com_error_max_m_max"), 4.0);
  EXPECT_DOUBLE_EQ(*metrics.number("com_error_max_m_mean"), 7.0 / 3.0);
  EXPECT_EQ(metrics.entries().size(), 6u);
}

TEST(Statistics, OfAMetricThatNoRunHasAreNull) {
  Metrics metrics;
  set_statistics(statistics_of(runs_with({kNull, kNull}))[0], metrics);
  ASSERT_EQ(metrics.entries().size(), 6u);
  for (const auto& [name, value] : metrics.entries()) EXPECT_EQ(value, MetricValue{}) << name;
}

TEST(Statistics, OfWhatIsTrueOrFalseAreItsShare) {
  std::vector<RunRecord> records(4);
  for (std::size_t i = 0; i < 4; ++i) {
    records[i].metrics.set("fell", i == 2);
    records[i].metrics.set("law", std::string("a text has no statistics"));
    records[i].metrics.set("push_limit_n", std::vector{1.0});
  }
  const std::vector<MetricStatistics> all = statistics_of(records);
  ASSERT_EQ(all.size(), 1u);
  Metrics metrics;
  set_statistics(all[0], metrics);
  ASSERT_EQ(metrics.entries().size(), 1u);
  EXPECT_EQ(metrics.number("fell_mean"), 0.25);
}

TEST(RunRecord, IsReadAgainAsItWasWritten) {
  RunRecord record{
      .ok = false, .failed_checks = {"fell", "slip_max_m"}, .error = "why: \"quoted\"\nlines", .metrics = {}};
  record.metrics.set("fell", true);
  record.metrics.set("sim_warnings", std::int64_t{3});
  record.metrics.set("com_error_max_m", 0.1 + 0.2);
  record.metrics.set("duration_s", 5.0);  // stays a number with a fraction, though it has none
  record.metrics.set("fell_at_s", MetricValue{});
  record.metrics.set("law", std::string("a"));
  record.metrics.set("push_limit_n", std::vector{1.0, 0.1});
  const std::optional<RunRecord> again = parse_run_record(to_json(record));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->failed_checks, record.failed_checks);
  EXPECT_EQ(again->error, record.error);
  EXPECT_EQ(again->metrics.entries(), record.metrics.entries());
  EXPECT_EQ(to_json(*again), to_json(record));
}

TEST(RunRecord, ATextThatIsNoneIsNotRead) {
  const std::string whole = to_json(RunRecord{.ok = true});
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"), std::string("{}"),
        std::string("{\"ok\": 1, \"failed_checks\": 2, \"error\": 3, \"metrics\": 4}")}) {
    EXPECT_FALSE(parse_run_record(text)) << text;
  }
}

}  // namespace
}  // namespace aplomb
