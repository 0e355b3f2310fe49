#include "aplomb/report/summary_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

#include "report/sample_result.hpp"

namespace aplomb {
namespace {

std::string line_with(const std::string& text, const std::string& words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(words) != std::string::npos) return line;
  }
  return "";
}

TEST(SummaryTable, ShowsVerdictChecksAndMetricsWithUnits) {
  const std::string text = summary_table(test::sample_run().result);
  EXPECT_TRUE(text.starts_with("PASS  balance_push_forward: 4 of 4 checks hold\n")) << text;
  EXPECT_EQ(line_with(text, "com_error_max_m"), "  ok    com_error_max_m   0.00871 m  < 0.012 m");
  EXPECT_EQ(line_with(text, "torque_jump_max_nm"), "  torque_jump_max_nm  3.25 N m");
  EXPECT_EQ(line_with(text, "zmp_margin_min_m"), "") << "a quantity that this run does not have";
}

TEST(SummaryTable, ColumnsAreAligned) {
  const std::string text = summary_table(test::sample_run().result);
  const std::size_t column = line_with(text, "required").find("required");
  for (const char* sign : {"= false", "< 0.012", "> 0.01", "= 0"}) EXPECT_EQ(line_with(text, sign).find(sign), column);
}

TEST(SummaryTable, AFailedCheckIsMarked) {
  Result result;
  result.metrics.set("com_error_max_m", 0.00871);
  result.checks = {judge({"com_error_max_m", Check::Rule::below, 0.005}, result.metrics)};
  result.faults = {{"left_foot_wrench_lost", 1.2, "held the last value"}};
  const std::string text = summary_table(result);
  EXPECT_TRUE(text.starts_with("FAIL"));
  EXPECT_EQ(line_with(text, "0.005"), "  FAIL  com_error_max_m  0.00871 m  < 0.005 m");
  EXPECT_EQ(line_with(text, "fault"), "  injected fault left_foot_wrench_lost at 1.2 s: held the last value");
}

TEST(SummaryTable, AResultWithoutChecksIsNotJudged) {
  Result result{.verb = "human", .scenario = {}};
  result.metrics.set("marker_rms_m", 0.01);
  const std::string text = summary_table(result);
  EXPECT_TRUE(text.starts_with("NOT JUDGED  human: no checks were asked for\n")) << text;
  std::string lower = summary_table(result, /*with_colours=*/true);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  EXPECT_EQ(lower.find("pass"), std::string::npos) << text;
}

TEST(SummaryTable, TwoNumbersThatDifferNeverLookEqual) {
  Result result;
  result.metrics.set("x_m", 0.00500001);
  result.checks = {judge({"x_m", Check::Rule::below, 0.005}, result.metrics)};
  EXPECT_NE(summary_table(result).find("0.00500001 m  < 0.005 m"), std::string::npos);
}

TEST(SummaryTable, HasNoColoursUnlessAsked) {
  const Result result = test::failed_sample_run().result;
  EXPECT_EQ(summary_table(result).find('\x1b'), std::string::npos);
  EXPECT_NE(summary_table(result, true).find("\x1b[1;31mFAIL\x1b[0m"), std::string::npos);
  EXPECT_FALSE(wants_colours(-1));
}

TEST(SummaryTable, ShowsTheFirstOfManyMetricsAndCountsTheRest) {
  Result result;
  for (int i = 0; i < 200; ++i) result.metrics.set(fmt::format("metric_{}", i), 1.0);
  const std::string text = summary_table(result);
  EXPECT_NE(text.find("and 160 more"), std::string::npos);
  EXPECT_LT(std::ranges::count(text, '\n'), 50);
}

}  // namespace
}  // namespace aplomb
