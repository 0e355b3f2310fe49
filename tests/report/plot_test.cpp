#include "aplomb/report/plot.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "aplomb/report/figure/figure.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "report/sample_result.hpp"

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

TEST(PageData, SaysWhichCurveHidesAnotherAndHasTheGivenLabels) {
  const test::Sample sample = test::sample_of_curves();
  const auto data = nlohmann::ordered_json::parse(page_data_json(sample.result, sample.log, sample.page, {}));
  const auto& forces = data["line_plots"][0]["series"];
  EXPECT_TRUE(forces[0]["same_as"].is_null());
  EXPECT_EQ(forces[1]["same_as"], 0);
  EXPECT_TRUE(forces[2]["same_as"].is_null());
  EXPECT_EQ(data["line_plots"][0]["x_label"], "time [s]");
  EXPECT_EQ(data["line_plots"][1]["x_label"], "instant [s]");
}

TEST(Figure, TellsCurvesApartAndHasNoScaleForRoundingErrors) {
  const test::Sample sample = test::sample_of_curves();
  const std::string data = page_data_json(sample.result, sample.log, sample.page, {});
  const std::vector<FigureRun> runs = {{.name = "run", .page_data = data}};
  const std::string references = figure_svg(runs, "references");
  std::set<std::string> colours;
  const std::regex dashed("stroke=\"(#[0-9a-f]+)\"[^>]*stroke-dasharray");
  for (std::sregex_iterator match(references.begin(), references.end(), dashed), end; match != end; ++match) {
    colours.insert((*match)[1]);
  }
  EXPECT_EQ(colours.size(), 2u) << references;
  EXPECT_NE(figure_svg(runs, "forces").find("right foot (same as left foot)"), std::string::npos);
  EXPECT_EQ(figure_svg(runs, "at_rest").find("e-1"), std::string::npos);
}

}  // namespace
}  // namespace aplomb
