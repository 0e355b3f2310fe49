#include "aplomb/batch/batch_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/report/result_json.hpp"

namespace aplomb {
namespace {

using Rule = Check::Rule;

BatchRecord sample_record() {
  Result result{.verb = "run", .scenario = "stand"};
  result.metrics.set("com_error_max_m", 0.004);
  result.metrics.set("fell", false);
  result.metrics.set("zmp_margin_min_m", MetricValue{});
  result.checks = {judge({"com_error_max_m", Rule::below, 0.005}, result.metrics),
                   judge({"fell", Rule::equals, false}, result.metrics)};
  return record_of({"run", "stand"}, to_json(result), {{"/robot.urdf", "abc"}});
}

TEST(BatchRecord, ItHoldsWhatTheJobPrintedAndItsTextGivesItBack) {
  const BatchRecord record = sample_record();
  EXPECT_EQ(record.outcome, "pass");
  EXPECT_EQ(record.metrics.number("com_error_max_m"), 0.004);
  const BatchRecord back = parse_record(to_text(record));
  EXPECT_EQ(to_text(back), to_text(record));
  EXPECT_EQ(back.inputs, record.inputs);
  EXPECT_EQ(back.command, record.command);
  EXPECT_EQ(back.checks.size(), 2u);
}

TEST(BatchRecord, WhatIsNoResultIsRefused) {
  EXPECT_THROW(record_of({"run", "a"}, "", {}), InvalidValue);
  EXPECT_THROW(record_of({"run", "a"}, "[]", {}), InvalidValue);
  EXPECT_THROW(parse_record(to_text(sample_record()).substr(0, 40)), InvalidValue);
}

TEST(WorstCheck, IsTheOneWithTheSmallestRelativeDistanceToItsBound) {
  const auto outcome = [](const char* metric, Rule rule, MetricValue bound, MetricValue value, bool ok) {
    return CheckOutcome{.check = {metric, rule, std::move(bound)}, .value = std::move(value), .ok = ok};
  };
  EXPECT_TRUE(std::isinf(worst_check({}).margin));
  const CheckOutcome close = outcome("a", Rule::below, 2.0, 1.9, true);      // 5 %
  const CheckOutcome wide = outcome("b", Rule::above, 0.01, 0.02, true);     // 100 %
  const CheckOutcome held = outcome("c", Rule::equals, false, false, true);  // no distance
  EXPECT_EQ(worst_check({wide, close, held}).metric, "a");
  EXPECT_NEAR(worst_check({wide, close, held}).margin, 0.05, 1e-12);
  const CheckOutcome failed = outcome("d", Rule::above, 0.01, 0.008, false);
  EXPECT_NEAR(worst_check({close, failed}).margin, -0.2, 1e-12);
  const CheckOutcome fell = outcome("e", Rule::equals, false, true, false);
  EXPECT_EQ(worst_check({close, failed, fell}).metric, "e");
  EXPECT_EQ(worst_check({outcome("f", Rule::below, 1.0, MetricValue{}, false)}).margin, -1.0);
}

}  // namespace
}  // namespace aplomb
