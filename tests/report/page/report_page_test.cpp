#include "aplomb/report/page/report_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/page_bundle.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "report/sample_result.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::json;

std::string html_of(const test::Sample& sample) {
  return report_html(sample.result, sample.log, sample.page, {"log.csv"});
}

Json data_of(const test::Sample& sample) {
  return Json::parse(page_data_json(sample.result, sample.log, sample.page, {"log.csv"}));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// A log of one column over time, with enough rows to be thinned.
test::Sample one_curve(std::size_t rows, double (*value)(double)) {
  test::Sample sample;
  sample.log = Log({"time_s", "x_m"});
  for (std::size_t i = 0; i < rows; ++i) {
    const double time = 0.001 * static_cast<double>(i);
    sample.log.append(std::array{time, value(time)});
  }
  LinePlot plot;
  plot.title = "x";
  plot.series = {{"x_m", "x"}};
  sample.page.line_plots = {plot};
  return sample;
}

TEST(ReportPage, HostileTextOpensNoElement) {
  const std::string html = html_of(test::failed_sample_run());
  // The page's own data and script, and nothing from a scenario.
  EXPECT_EQ(count(html, "<script"), 2u);
  EXPECT_EQ(count(html, "</script"), 2u);
  EXPECT_EQ(count(html, "<img"), 0u);
  EXPECT_EQ(count(html, "<!--"), 0u);
  EXPECT_EQ(data_of(test::failed_sample_run())["scenario"], test::failed_sample_run().result.scenario);
}

TEST(ReportPage, AChapterHasThePlotsOfItsOwnLog) {
  const test::Sample sample = test::sample_without_log();
  test::Sample waves = one_curve(100, [](double time) { return std::sin(time); });
  waves.page.tables.push_back({.title = "Table", .header = {"a"}, .rows = {{"1"}, {"2"}}});
  const std::vector<ReportChapter> chapters = {
      {.title = "First", .text = "A text.", .parts = {{waves.log, waves.page}, {waves.log, waves.page}}}};
  const Json data = Json::parse(page_data_json(sample.result, sample.log, sample.page, {}, chapters));
  ASSERT_EQ(data["chapters"].size(), 1u);
  EXPECT_EQ(data["chapters"][0]["text"], "A text.");
  ASSERT_EQ(data["chapters"][0]["parts"].size(), 2u);
  const Json& part = data["chapters"][0]["parts"][1];
  EXPECT_EQ(part["curves"][0]["y"].size(), 100u);
  EXPECT_EQ(part["line_plots"][0]["title"], "x");
  EXPECT_EQ(part["tables"][0]["rows"].size(), 2u);
  EXPECT_TRUE(data["line_plots"].empty());
  EXPECT_TRUE(data_of(sample)["chapters"].empty());
}

TEST(ReportPage, LoadsNothing) {
  const std::string html = html_of(test::sample_run());
  for (const char* address : {"http://", "https://", "src=", "href=", "@import", "url("}) {
    EXPECT_EQ(count(html, address), 0u) << address;
  }
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("script-src '" + std::string(kReportScriptHash) + "'"), std::string::npos);
}

TEST(ReportPage, IsTheSameForTheSameRunWhateverTheTimes) {
  test::Sample again = test::sample_run();
  again.result.timing.set("wall_s", 99.0);
  EXPECT_EQ(html_of(test::sample_run()), html_of(again));
}

TEST(ReportPage, StaysSmall) { EXPECT_LT(html_of(test::sample_run()).size(), 1'000'000u); }

TEST(PageData, ACurveHasAtMost1500PointsAndKeepsItsPeak) {
  const auto spike = [](double time) { return std::abs(time - 12.345) < 1e-9 ? 7.0 : std::sin(time); };
  const Json data = data_of(one_curve(20000, spike));
  const auto values = data["curves"][0]["y"].get<std::vector<double>>();
  EXPECT_LE(values.size(), 1500u);
  EXPECT_EQ(data["curves"][0]["x"].size(), values.size());
  const auto peak = std::max_element(values.begin(), values.end());
  EXPECT_EQ(*peak, 7.0);
  EXPECT_EQ(data["curves"][0]["x"][peak - values.begin()], 12.345);
  EXPECT_EQ(data["log"]["is_thinned"], true);
}

TEST(PageData, AColumnThatTwoPlotsDrawIsStoredOnce) {
  test::Sample sample = one_curve(10, std::sin);
  sample.page.line_plots.push_back(sample.page.line_plots[0]);
  const Json data = data_of(sample);
  EXPECT_EQ(data["curves"].size(), 1u);
  EXPECT_EQ(data["line_plots"].size(), 2u);
  EXPECT_EQ(data["line_plots"][0]["x_label"], "time [s]");
}

TEST(PageData, ASampleWithoutAValueIsNull) {
  const Json data = data_of(one_curve(3, [](double time) { return time > 0.0 ? std::nan("") : 1.0; }));
  EXPECT_EQ(data["curves"][0]["y"].dump(), "[1.0,null,null]");
}

TEST(PageData, RejectsAPlotOfAColumnThatIsMissingOrNotAscending) {
  test::Sample sample = one_curve(3, [](double) { return 1.0; });
  sample.page.line_plots[0].series[0].column = "y_m";
  EXPECT_THROW(data_of(sample), UnknownName);
  sample.page.line_plots[0].series[0].column = "time_s";
  sample.page.line_plots[0].x_column = "x_m";
  EXPECT_THROW(data_of(sample), InvalidValue);
}

TEST(PageData, APageWithoutALogHasNoCurves) {
  const Json data = data_of(test::sample_without_log());
  EXPECT_TRUE(data["curves"].empty());
  EXPECT_EQ(data["count"], "no checks were asked for");
}

}  // namespace
}  // namespace aplomb
