#include "aplomb/core/result.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace aplomb {
namespace {

using Rule = Check::Rule;

bool holds(const MetricValue& value, Rule rule, const MetricValue& bound) {
  Metrics metrics;
  metrics.set("metric", value);
  return judge({"metric", rule, bound}, metrics).ok;
}

TEST(Metrics, KeepTheOrderInWhichTheyWereSetAndTheLastValue) {
  Metrics metrics;
  metrics.set("z", 1.0);
  metrics.set("a", true);
  metrics.set("z", 2.0);
  ASSERT_EQ(metrics.entries().size(), 2u);
  EXPECT_EQ(metrics.entries()[0].first, "z");
  EXPECT_EQ(metrics.number("z"), 2.0);
  EXPECT_EQ(metrics.number("a"), 1.0);
  EXPECT_EQ(metrics.number("missing"), std::nullopt);
  EXPECT_EQ(metrics.find("missing"), nullptr);
}

TEST(Judge, BelowAndAboveExcludeTheBoundItself) {
  EXPECT_TRUE(holds(0.9, Rule::below, 1.0));
  EXPECT_FALSE(holds(1.0, Rule::below, 1.0));
  EXPECT_TRUE(holds(1.1, Rule::above, 1.0));
  EXPECT_FALSE(holds(1.0, Rule::above, 1.0));
}

TEST(Judge, ANumberThatIsNotANumberNeverHolds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Rule rule : {Rule::below, Rule::above, Rule::equals}) {
    EXPECT_FALSE(holds(nan, rule, 1.0));
    EXPECT_FALSE(holds(1.0, rule, nan));
    EXPECT_FALSE(holds(nan, rule, nan));
  }
}

TEST(Judge, ANullOrMissingMetricHoldsOnlyWhereNullIsAskedFor) {
  EXPECT_FALSE(holds({}, Rule::below, 1.0));
  EXPECT_FALSE(holds({}, Rule::above, -1.0));
  EXPECT_FALSE(holds({}, Rule::equals, 0.0));
  EXPECT_TRUE(holds({}, Rule::equals, MetricValue{}));
  EXPECT_FALSE(judge({"missing", Rule::below, 1.0}, Metrics()).ok);
}

TEST(Judge, AnIntegerEqualsTheSameDoubleButNotABool) {
  EXPECT_TRUE(holds(std::int64_t{1}, Rule::equals, 1.0));
  EXPECT_FALSE(holds(true, Rule::equals, 1.0));
  EXPECT_TRUE(holds(true, Rule::equals, true));
  EXPECT_TRUE(holds(std::string("admittance"), Rule::equals, std::string("admittance")));
  EXPECT_FALSE(holds(std::string("1"), Rule::equals, 1.0));
}

TEST(Result, PassesOnlyWhenEveryCheckHolds) {
  Result result;
  result.checks = {{.check = {}, .value = {}, .ok = true}};
  EXPECT_EQ(result.verdict(), "pass");
  EXPECT_TRUE(result.all_checks_hold());
  EXPECT_FALSE(result.any_check_fails());
  result.checks.push_back({.check = {}, .value = {}, .ok = false});
  EXPECT_EQ(result.verdict(), "fail");
  EXPECT_FALSE(result.all_checks_hold());
  EXPECT_TRUE(result.any_check_fails());
}

TEST(Result, WithoutAnyCheckItIsNotJudged) {
  const Result result;
  EXPECT_EQ(result.verdict(), "not_judged");
  EXPECT_FALSE(result.all_checks_hold());
  EXPECT_FALSE(result.any_check_fails());
}

TEST(Result, ValuesHaveAReadableText) {
  EXPECT_EQ(to_text(MetricValue{}), "null");
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(std::int64_t{42}), "42");
  EXPECT_EQ(to_text(0.00110042), "0.0011");
  EXPECT_EQ(to_text(std::vector{1.0, 2.5}), "[1, 2.5]");
}

}  // namespace
}  // namespace aplomb
