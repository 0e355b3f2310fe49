#include "aplomb/present/run_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aplomb/scenario/overrides.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

std::vector<double> limits_of_cop(const std::string& scenario, const std::string& direction) {
  const RunResult run = run_scenario(load_scenario(scenario, std::vector<Override>{{"duration_s", "0.01"}}));
  const ReportPage page = run_page(run);
  const auto found =
      std::ranges::find(page.line_plots, "Centre of pressure of each foot, " + direction, &LinePlot::title);
  EXPECT_NE(found, page.line_plots.end()) << direction;
  return found == page.line_plots.end() ? std::vector<double>{} : found->limits;
}

TEST(RunPage, DrawsTheEdgesOfASoleForBothFeetOnlyWhereTheyAreTheSame) {
  EXPECT_EQ(limits_of_cop("stand_coman", "to the left"), (std::vector{-0.05, 0.05}));
  EXPECT_EQ(limits_of_cop("stand_hoap3", "forward"), (std::vector{-0.0275, 0.0555}));
  EXPECT_TRUE(limits_of_cop("stand_hoap3", "to the left").empty());  // mirrored: [-18.5, 28.5] mm and [-28.5, 18.5] mm
}

TEST(RunPage, DrawsTheCommandedCopBesideTheMeasuredOneWhereAControllerCommandsOne) {
  const auto titles_of = [](const std::string& scenario) {
    std::vector<std::string> titles;
    const RunResult run = run_scenario(load_scenario(scenario, std::vector<Override>{{"duration_s", "0.01"}}));
    for (const LinePlot& plot : run_page(run).line_plots) titles.push_back(plot.title);
    return titles;
  };
  const char* const title = "Centre of pressure of the right foot, forward: commanded and measured";
  const auto has = [](const std::vector<std::string>& titles, const char* name) {
    return std::ranges::find(titles, name) != titles.end();
  };
  const std::vector<std::string> push = titles_of("balance_push_forward"),
                                 single = titles_of("balance_push_side_single");
  EXPECT_TRUE(has(push, title));
  EXPECT_FALSE(has(titles_of("hoap3_squat"), title));
  EXPECT_TRUE(has(single, "Position error of the foot in the air"));
  EXPECT_FALSE(has(push, "Position error of the foot in the air"));
}

TEST(RunPage, ShowsTheLadderWithWhatWasEnteredWhereItActedAndOnlyThere) {
  const auto tables_of = [](const std::string& events) {
    const std::vector<Override> overrides = {{"duration_s", "0.3"}, {"events", events}};
    return run_page(run_scenario(load_scenario("stand_coman", overrides))).tables;
  };
  EXPECT_TRUE(tables_of("[]").empty());
  const std::vector<PageTable> tables =
      tables_of("[{sensor_fault: {sensor: base_velocity, kind: lost, start_s: 0.2}}]");
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 6u);
  EXPECT_EQ(tables[0].rows[0][2], "start");
  EXPECT_EQ(tables[0].rows[1][0], "degraded");
  EXPECT_EQ(tables[0].rows[1][2], "0.200");
  EXPECT_EQ(tables[0].rows[1][3], "sensor_lost");
  EXPECT_EQ(tables[0].rows[2][2], "-");
}

}  // namespace
}  // namespace aplomb
