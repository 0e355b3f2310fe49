#include "aplomb/report/plot.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "aplomb/report/page/page_data.hpp"

namespace aplomb {
namespace {

TEST(PlotId, IsTheTitleInLowerCaseUnlessGiven) {
  EXPECT_EQ(plot_id(LinePlot{.title = "Centre of mass, forward"}), "centre_of_mass_forward");
  EXPECT_EQ(plot_id(PlanePlot{.title = "(CoP)"}), "cop");
  EXPECT_EQ(plot_id(LinePlot{.title = ""}), "figure");
  EXPECT_EQ(plot_id(LinePlot{.id = "com", .title = "Centre of mass"}), "com");
}

TEST(PageData, IdsOfPlotsAreUnique) {
  Log log({"time_s", "x_m"});
  log.append(std::vector{0.0, 1.0});
  ReportPage page;
  for (int i = 0; i < 2; ++i) page.line_plots.push_back({.title = "CoM", .series = {{.column = "x_m"}}});
  page.plane_plots.push_back({.title = "CoM", .x_column = "time_s", .y_column = "x_m"});
  const auto data = nlohmann::ordered_json::parse(page_data_json({}, log, page, {}));
  EXPECT_EQ(data["line_plots"][0]["id"], "com");
  EXPECT_EQ(data["line_plots"][1]["id"], "com_2");
  EXPECT_EQ(data["plane_plots"][0]["id"], "com_3");
}

TEST(PageData, KnowsWhichPlotsAreOverTime) {
  Log log({"time_s", "index"});
  log.append(std::vector{0.0, 1.0});
  ReportPage page;
  page.line_plots.push_back({.title = "a", .series = {{.column = "index"}}});
  page.line_plots.push_back({.title = "b", .x_column = "index", .series = {{.column = "time_s"}}});
  const auto data = nlohmann::ordered_json::parse(page_data_json({}, log, page, {}));
  EXPECT_EQ(data["line_plots"][0]["is_over_time"], true);
  EXPECT_EQ(data["line_plots"][1]["is_over_time"], false);
}

}  // namespace
}  // namespace aplomb
