#include "aplomb/report/page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/report/check_text.hpp"
#include "aplomb/report/page/decimate.hpp"
#include "aplomb/report/page/page_parts.hpp"
#include "aplomb/report/page/page_scene.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 1500;  // per curve: more than the pixel columns of a screen

/// Curves of a report; each pair of columns is stored once, however many plots use it.
class Curves {
 public:
  explicit Curves(const Log& log) : log_(log) {}

  std::size_t add(const std::string& title, const std::string& x_column, const std::string& y_column) {
    const std::pair columns{log_.index(x_column), log_.index(y_column)};
    if (const auto known = indices_.find(columns); known != indices_.end()) return known->second;
    check_ascending(title, x_column, columns.first);
    const std::vector<std::size_t> rows = decimate(log_, std::array{columns.second}, kMostPoints);
    json_.push_back({{"x", column_json(log_, columns.first, rows)}, {"y", column_json(log_, columns.second, rows)}});
    indices_[columns] = json_.size() - 1;
    return json_.size() - 1;
  }

  const Json& json() const { return json_; }

 private:
  void check_ascending(const std::string& title, const std::string& name, std::size_t column) const {
    for (std::size_t row = 0; row < log_.num_rows(); ++row) {
      const double value = log_.at(row, column);
      // Formulated so that NaN fails too.
      const bool ascends = row == 0 ? std::isfinite(value) : value > log_.at(row - 1, column);
      if (!ascends)
        throw InvalidValue(
            fmt::format("the plot '{}' is over '{}', which does not ascend at row {}", title, name, row));
    }
  }

  const Log& log_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> indices_;
  Json json_ = Json::array();
};

/// Whether two columns of a log differ by at most `tolerance` wherever they have values, and have them in the same
/// rows.
bool are_alike(const Log& log, std::size_t a, std::size_t b, double tolerance) {
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    const double x = log.at(row, a), y = log.at(row, b);
    if (std::isfinite(x) != std::isfinite(y) || std::abs(x - y) > tolerance) return false;
  }
  return true;
}

/// For each curve the earlier one of the same kind that it hides, by index; null where it hides none.
Json hidden_curves(const LinePlot& plot, const Log& log) {
  constexpr double kLineWidth = 0.004;  // fraction of a plot's height
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto include = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const double limit : plot.limits) include(limit);
  for (const PlotSeries& one : plot.series) {
    const std::size_t column = log.index(one.column);
    for (std::size_t row = 0; row < log.num_rows(); ++row) include(log.at(row, column));
  }
  Json hidden = Json::array();
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    hidden.push_back(nullptr);
    for (std::size_t j = 0; j < i && hidden[i].is_null(); ++j) {
      if (plot.series[i].is_reference != plot.series[j].is_reference) continue;
      const std::size_t column = log.index(plot.series[i].column), other = log.index(plot.series[j].column);
      if (log.num_rows() > 0 && are_alike(log, column, other, kLineWidth * (high - low))) hidden[i] = j;
    }
  }
  return hidden;
}

Json line_plot_json(const LinePlot& plot, const Log& log, Curves& curves) {
  Json series = Json::array();
  for (const PlotSeries& one : plot.series) {
    series.push_back({{"label", one.label},
                      {"curve", curves.add(plot.title, plot.x_column, one.column)},
                      {"is_reference", one.is_reference}});
  }
  const Json hidden = hidden_curves(plot, log);
  for (std::size_t i = 0; i < series.size(); ++i) series[i]["same_as"] = hidden[i];
  Json limits = Json::array();
  for (const double limit : plot.limits) {
    if (std::isfinite(limit)) limits.push_back(limit);
  }
  return {{"id", plot_id(plot)},     {"title", plot.title},
          {"about", plot.about},     {"x_label", plot.x_label.empty() ? axis_label(plot.x_column) : plot.x_label},
          {"y_label", plot.y_label}, {"is_over_time", plot.x_column == "time_s"},
          {"limits", limits},        {"series", series}};
}

Json plane_plot_json(const PlanePlot& plot, const Log& log) {
  const std::array columns{log.index(plot.x_column), log.index(plot.y_column)};
  const std::vector<std::size_t> rows = decimate(log, columns, kMostPoints);
  Json rectangles = Json::array();
  for (const PlanePlot::Rectangle& one : plot.rectangles) {
    rectangles.push_back(
        {{"x_min", one.x_min}, {"x_max", one.x_max}, {"y_min", one.y_min}, {"y_max", one.y_max}, {"label", one.label}});
  }
  Json points = Json::array();
  for (const PlanePlot::Point& one : plot.points) points.push_back({{"x", one.x}, {"y", one.y}, {"label", one.label}});
  Json others = Json::array();
  for (const PlanePlot::Path& one : plot.others) {
    const std::array ends{log.index(one.x_column), log.index(one.y_column)};
    const std::vector<std::size_t> kept = decimate(log, ends, kMostPoints);
    others.push_back(
        {{"label", one.label}, {"x", column_json(log, ends[0], kept)}, {"y", column_json(log, ends[1], kept)}});
  }
  const Json time = log.has("time_s") ? column_json(log, log.index("time_s"), rows) : Json::array();
  return {{"id", plot_id(plot)},
          {"title", plot.title},
          {"about", plot.about},
          {"x_label", plot.x_label},
          {"y_label", plot.y_label},
          {"x", column_json(log, columns[0], rows)},
          {"y", column_json(log, columns[1], rows)},
          {"time", time},
          {"rectangles", rectangles},
          {"points", points},
          {"has_separate_samples", plot.has_separate_samples},
          {"label", plot.label},
          {"others", others}};
}

Json checks_json(const Result& result) {
  Json array = Json::array();
  for (const CheckOutcome& outcome : result.checks) {
    const auto [value, bound] = text_of(outcome);
    array.push_back({{"metric", outcome.check.metric},
                     {"value", value},
                     {"rule", rule_name(outcome.check.rule)},
                     {"bound", bound},
                     {"unit", unit_of(outcome.check.metric)},
                     {"reason", outcome.check.reason},
                     {"ok", outcome.ok}});
  }
  return array;
}

Json metric_list_json(const Metrics& metrics) {
  Json array = Json::array();
  for (const auto& [name, value] : metrics.entries()) {
    const MetricInfo* info = find_metric(name);
    array.push_back({{"name", name},
                     {"value", to_text(value)},
                     {"unit", unit_of(name)},
                     {"formula", info == nullptr ? std::string() : std::string(info->formula)}});
  }
  return array;
}

Json faults_json(const std::vector<Fault>& faults) {
  Json array = Json::array();
  for (const Fault& fault : faults) {
    array.push_back(
        {{"name", fault.name}, {"start", fmt::format("{:.4g}", fault.start_s)}, {"fallback", fault.fallback}});
  }
  return array;
}

Json provenance_json(const Provenance& provenance) {
  const std::array<std::pair<const char*, std::string>, 5> entries{{{"aplomb", provenance.version},
                                                                    {"commit", provenance.commit},
                                                                    {"robot (SHA-256)", provenance.robot_sha256},
                                                                    {"scenario (SHA-256)", provenance.scenario_sha256},
                                                                    {"seed", std::to_string(provenance.seed)}}};
  Json array = Json::array();
  for (const auto& [name, value] : entries) {
    if (!value.empty()) array.push_back(Json::array({name, value}));
  }
  return array;
}

/// Makes the ids of a page's plots unique: the second plot with the same id gets the suffix _2.
void number_equal_ids(Json& plots, std::map<std::string, int>& counts) {
  for (Json& plot : plots) {
    const auto id = plot["id"].get<std::string>();
    if (const int count = ++counts[id]; count > 1) plot["id"] = fmt::format("{}_{}", id, count);
  }
}

/// Tables and plots: the keys that a page and a part of a chapter have in common.
Json plots_json(const Log& log, const ReportPage& page, const std::vector<std::string>& log_files, PageMeshes& meshes,
                MotionData motion) {
  Curves curves(log);
  Json line_plots = Json::array();
  for (const LinePlot& plot : page.line_plots) line_plots.push_back(line_plot_json(plot, log, curves));
  Json plane_plots = Json::array();
  for (const PlanePlot& plot : page.plane_plots) plane_plots.push_back(plane_plot_json(plot, log));
  std::map<std::string, int> counts;
  number_equal_ids(line_plots, counts);
  number_equal_ids(plane_plots, counts);
  return {{"notes", page.notes},
          {"log", {{"rows", log.num_rows()}, {"is_thinned", log.num_rows() > kMostPoints}, {"files", log_files}}},
          {"curves", curves.json()},
          {"line_plots", line_plots},
          {"plane_plots", plane_plots},
          {"scatter_plots", scatter_plots_json(page.scatter_plots, log, kMostPoints)},
          {"tables", tables_json(page.tables)},
          {"scene", page.scene ? scene_json(*page.scene, log, meshes, motion) : Json(nullptr)}};
}

Json chapters_json(const std::vector<ReportChapter>& chapters, PageMeshes& meshes) {
  Json array = Json::array();
  for (const ReportChapter& chapter : chapters) {
    Json parts = Json::array();
    for (const ReportPart& part : chapter.parts)
      parts.push_back(plots_json(part.log, part.page, {}, meshes, MotionData::used));
    array.push_back({{"title", chapter.title}, {"text", chapter.text}, {"parts", parts}});
  }
  return array;
}

}  // namespace

std::string page_data_json(const Result& result, const Log& log, const ReportPage& page,
                           const std::vector<std::string>& log_files, const std::vector<ReportChapter>& chapters) {
  PageMeshes meshes;
  Json json{{"title", page.title},
            {"about", page.about},
            {"verb", result.verb},
            {"scenario", result.scenario},
            {"verdict", result.verdict()},
            {"count", count_text(result)},
            {"checks", checks_json(result)},
            {"faults", faults_json(result.faults)},
            {"metrics", metric_list_json(result.metrics)},
            {"scenario_text", page.scenario_text},
            {"provenance", provenance_json(result.provenance)},
            {"chapters", chapters_json(chapters, meshes)}};
  json.update(plots_json(log, page, log_files, meshes, MotionData::all));
  json["meshes"] = meshes.json();
  return json_text(json);
}

std::string motion_part_json(const Log& log, const Log& tracks, std::size_t first) {
  return json_text({{"first", first}, {"motion", motion_part(log, tracks)}});
}

}  // namespace aplomb
