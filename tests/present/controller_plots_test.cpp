#include "aplomb/present/controller_plots.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace aplomb {
namespace {

RunResult short_run(const std::string& robot, const std::string& kind) {
  return run_scenario(parse_scenario(
      "scenario: test\nrobot: " + robot + "\nduration_s: 0.01\ncontroller: {kind: " + kind + "}\n", "test.yaml"));
}

TEST(ControllerPlots, EveryPlotOfAControllerOfThisLibraryDrawsColumnsOfItsLog) {
  const struct {
    const char *robot, *kind;
    std::size_t num_plots;
  } cases[] = {{"balancer", "momentum_balance", 5},
               {"coman", "partial_force", 3},
               {"hoap3", "task_priority", 2},
               {"balancer", "joint_pd", 0}};
  for (const auto& [robot, kind, num_plots] : cases) {
    const RunResult output = short_run(robot, kind);
    ReportPage page;
    add_controller_plots(output.signals, page);
    EXPECT_EQ(page.line_plots.size(), num_plots) << kind;
    for (const LinePlot& plot : page.line_plots) {
      for (const PlotSeries& series : plot.series) EXPECT_NO_THROW(output.log.index(series.column)) << series.column;
    }
  }
}

TEST(ControllerPlots, SignalsOfAnotherControllerAreDrawnOnePlotForEachUnit) {
  const std::vector<std::string> signals = {"left_knee_nm", "sway_m", "right_knee_nm", "sway_m_per_s", "mode"};
  ReportPage page;
  add_controller_plots(signals, page);
  ASSERT_EQ(page.line_plots.size(), 4u);
  EXPECT_EQ(page.line_plots[0].y_label, "[N m]");
  EXPECT_EQ(page.line_plots[0].series.size(), 2u);
  EXPECT_EQ(page.line_plots[0].series[1].label, "right_knee");
  EXPECT_EQ(page.line_plots[1].y_label, "[m]");
  EXPECT_EQ(page.line_plots[2].y_label, "[m/s]");
  EXPECT_EQ(page.line_plots[3].series[0].column, "mode");
}

}  // namespace
}  // namespace aplomb
