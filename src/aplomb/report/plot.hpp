#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/report/scene.hpp"

namespace aplomb {

/// A curve of a log in a report. Plain data: `present/` decides what is shown, `report/` how.
struct PlotSeries {
  std::string column;         ///< column of the log for y
  std::string label;          ///< shown in the legend
  bool is_reference = false;  ///< drawn dashed
};

/// Lines over a common column (time).
struct LinePlot {
  std::string id;  ///< name of the figure for programs and `aplomb view --figure`; empty: derived from the title
  std::string title;
  std::string about;    ///< one sentence under the title
  std::string y_label;  ///< with its unit: "forward CoM [m]"
  std::string x_column = "time_s";
  std::string x_label;  ///< empty: derived from the column, "time [s]"
  std::vector<PlotSeries> series;
  std::vector<double> limits;  ///< horizontal lines, e.g. +1 and -1 for a ratio
};

/// A path in a plane, e.g. a foot's CoP over its sole.
struct PlanePlot {
  struct Rectangle {
    double x_min = 0.0, x_max = 0.0, y_min = 0.0, y_max = 0.0;
    std::string label;
  };
  std::string id;  ///< as in LinePlot
  std::string title;
  std::string about;
  std::string x_label, y_label;
  std::string x_column, y_column;
  std::vector<Rectangle> rectangles;
  struct Point {
    double x = 0.0, y = 0.0;
    std::string label;
  };
  std::vector<Point> points;  ///< single marked points, e.g. the origin
  struct Path {
    std::string x_column, y_column, label;
  };
  std::string label;                  ///< of the path in the legend; empty: it is the only one
  std::vector<Path> others;           ///< more paths, each in a colour of its own
  bool has_separate_samples = false;  ///< the rows are separate results: points are marked and joined by a line
};

/// One point per row: a metric of many runs over a varied value, or, without y, the distribution of one metric.
struct ScatterPlot {
  struct Mark {
    double x = 0.0;
    std::string label;
  };
  std::string title;
  std::string about;
  std::string x_label, y_label;
  std::string x_column;
  std::string y_column;       ///< empty: the points are spread vertically so that all are visible
  std::string ok_column;      ///< 0 where the run failed
  std::vector<Mark> x_marks;  ///< vertical lines, e.g. percentiles
};

/// A table of texts; columns of numbers are aligned to the right.
struct PageTable {
  std::string title;
  std::string about;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  bool is_detail = false;  ///< shown in the report but not on the terminal
};

/// Content of a report in addition to the result.
struct ReportPage {
  std::string title;
  std::string about;               ///< description from the scenario
  std::string scenario_text;       ///< the YAML that was run, with overrides applied
  std::vector<std::string> notes;  ///< warnings and assumptions
  std::vector<LinePlot> line_plots;
  std::vector<PlanePlot> plane_plots;
  std::vector<ScatterPlot> scatter_plots;
  std::vector<PageTable> tables;  ///< shown before the plots; those with more than 15 rows after them
  std::optional<Scene> scene;     ///< replayed in three dimensions
};

/// Name of a plot for programs and `aplomb view --figure`: its `id`, or else its title in lower case with underscores,
/// e.g. `centre_of_mass_forward`.
std::string plot_id(const LinePlot& plot);
std::string plot_id(const PlanePlot& plot);

}  // namespace aplomb
