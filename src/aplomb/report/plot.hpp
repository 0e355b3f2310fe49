#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/report/scene.hpp"

namespace aplomb {

/// Curves of a log in a report: plain data, so that `present/` decides what is shown and `report/` how.
struct PlotSeries {
  std::string column;         ///< the log's column that gives y
  std::string label;          ///< shown in the legend
  bool is_reference = false;  ///< drawn dashed
};

/// Lines over a common column (time).
struct LinePlot {
  std::string id;  ///< name of the figure for programs and `aplomb view --figure`; empty: made from the title
  std::string title;
  std::string about;    ///< one sentence under the title
  std::string y_label;  ///< with its unit: "forward CoM [m]"
  std::string x_column = "time_s";
  std::vector<PlotSeries> series;
  std::vector<double> limits;  ///< horizontal lines, e.g. +1 and -1 for a ratio
};

/// A path in a plane, e.g. a foot's CoP over its sole.
struct PlanePlot {
  struct Rectangle {
    double x_min = 0.0, x_max = 0.0, y_min = 0.0, y_max = 0.0;
    std::string label;
  };
  std::string id;  ///< as that of a LinePlot
  std::string title;
  std::string about;
  std::string x_label, y_label;
  std::string x_column, y_column;
  std::vector<Rectangle> rectangles;
  struct Point {
    double x = 0.0, y = 0.0;
    std::string label;
  };
  std::vector<Point> points;          ///< single marks, e.g. the origin
  bool has_separate_samples = false;  ///< each row is a result of its own: points are marked, the line only joins them
};

/// One point for each row: a metric of many runs over a value that was varied, or, without a y, along its axis alone.
struct ScatterPlot {
  struct Mark {
    double x = 0.0;
    std::string label;
  };
  std::string title;
  std::string about;
  std::string x_label, y_label;
  std::string x_column;
  std::string y_column;       ///< empty: the points are spread across the axis, so that all can be seen
  std::string ok_column;      ///< 0 where the run failed
  std::vector<Mark> x_marks;  ///< upright lines, e.g. percentiles
};

/// A table of texts; a column whose cells are numbers is set to the right.
struct PageTable {
  std::string title;
  std::string about;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  bool is_detail = false;  ///< shown in the report, left out on the terminal
};

/// Content of a report beside the result.
struct ReportPage {
  std::string title;
  std::string about;               ///< the scenario's own sentence
  std::string scenario_text;       ///< the YAML that was run, with overrides applied
  std::vector<std::string> notes;  ///< warnings and guesses that a reader should know
  std::vector<LinePlot> line_plots;
  std::vector<PlanePlot> plane_plots;
  std::vector<ScatterPlot> scatter_plots;
  std::vector<PageTable> tables;  ///< shown before the plots; those of more than 15 rows after them
  std::optional<Scene> scene;     ///< replayed in three dimensions
};

/// The name by which programs and `aplomb view --figure` choose a plot: its `id`, else its title in lower case with
/// underscores, as `centre_of_mass_forward`.
std::string plot_id(const LinePlot& plot);
std::string plot_id(const PlanePlot& plot);

}  // namespace aplomb
