#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "report/sample_result.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::json;

Json data_of(const test::Sample& sample) {
  return Json::parse(page_data_json(sample.result, sample.log, sample.page, {}));
}

TEST(ScatterPlots, HaveAPointForEveryRowAndNullWhereThereIsNoValue) {
  const Json plots = data_of(test::sample_of_many_runs())["scatter_plots"];
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0]["x"].size(), 120u);
  EXPECT_TRUE(plots[0]["y"].empty());
  EXPECT_TRUE(plots[0]["x"][7].is_null());
  EXPECT_EQ(plots[1]["y"].size(), 120u);
  EXPECT_EQ(plots[1]["is_ok"].size(), 120u);
  EXPECT_EQ(plots[1]["row"][119], 119);
  EXPECT_EQ(plots[0]["marks"][0]["label"], "p50");
}

TEST(ScatterPlots, OfManyRowsKeepTheExtremes) {
  test::Sample sample;
  sample.log = Log({"ok", "x_m"});
  for (int row = 0; row < 20'000; ++row) sample.log.append(std::array{1.0, row == 12'345 ? 99.0 : row % 7 * 1.0});
  sample.page.scatter_plots = {{.title = "x", .x_column = "x_m", .ok_column = "ok"}};
  const Json plot = data_of(sample)["scatter_plots"][0];
  EXPECT_LE(plot["x"].size(), 1500u);
  const auto rows = plot["row"].get<std::vector<int>>();
  EXPECT_NE(std::ranges::find(rows, 12'345), rows.end());
}

TEST(ScatterPlots, OfAMissingColumnAreAnError) {
  test::Sample sample = test::sample_of_many_runs();
  sample.page.scatter_plots[0].ok_column = "okay";
  EXPECT_THROW(data_of(sample), UnknownName);
}

TEST(Tables, KnowWhichColumnsAreNumbers) {
  const Json tables = data_of(test::sample_of_many_runs())["tables"];
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0]["is_number"], (Json{false, false, true, true, true}));  // an empty cell is no text
  EXPECT_EQ(tables[1]["is_number"], (Json{true, false}));
  EXPECT_EQ(tables[0]["rows"][1][4], "0.02");
}

}  // namespace
}  // namespace aplomb
