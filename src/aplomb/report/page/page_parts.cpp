#include "aplomb/report/page/page_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "aplomb/report/page/decimate.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDigits = 9;  // significant digits, as in the CSV: resolves milliseconds over a day

/// The number rounded to kDigits significant digits, so that its JSON text is short; null when not finite.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> text;
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, kDigits);
  double result = 0.0;
  std::from_chars(text.data(), written.ptr, result);
  return result;
}

Json scatter_plot_json(const ScatterPlot& plot, const Log& log, std::size_t most_points) {
  const bool has_y = !plot.y_column.empty();
  std::vector<std::size_t> columns = {log.index(plot.x_column)};
  if (has_y) columns.push_back(log.index(plot.y_column));
  const std::vector<std::size_t> rows = decimate(log, columns, most_points);
  const std::size_t ok_column = log.index(plot.ok_column);
  Json is_ok = Json::array();
  for (const std::size_t row : rows) is_ok.push_back(log.at(row, ok_column) != 0.0);
  Json marks = Json::array();
  for (const ScatterPlot::Mark& mark : plot.x_marks) marks.push_back({{"x", rounded(mark.x)}, {"label", mark.label}});
  return {{"title", plot.title},
          {"about", plot.about},
          {"x_label", plot.x_label},
          {"y_label", plot.y_label},
          {"x", column_json(log, columns.front(), rows)},
          {"y", has_y ? column_json(log, columns.back(), rows) : Json::array()},
          {"row", rows},
          {"is_ok", is_ok},
          {"marks", marks}};
}

/// Whether every non-empty cell is a number.
bool is_number_column(const PageTable& table, std::size_t column) {
  return std::ranges::all_of(table.rows, [column](const std::vector<std::string>& row) {
    const std::string& cell = row[column];
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return cell.empty() || cell == "-" || (error == std::errc() && end == cell.data() + cell.size());
  });
}

}  // namespace

nlohmann::ordered_json column_json(const Log& log, std::size_t column, const std::vector<std::size_t>& rows) {
  Json array = Json::array();
  for (const std::size_t row : rows) array.push_back(rounded(log.at(row, column)));
  return array;
}

nlohmann::ordered_json scatter_plots_json(const std::vector<ScatterPlot>& plots, const Log& log,
                                          std::size_t most_points) {
  Json array = Json::array();
  for (const ScatterPlot& plot : plots) array.push_back(scatter_plot_json(plot, log, most_points));
  return array;
}

nlohmann::ordered_json tables_json(const std::vector<PageTable>& tables) {
  Json array = Json::array();
  for (const PageTable& table : tables) {
    Json is_number = Json::array();
    for (std::size_t i = 0; i < table.header.size(); ++i) is_number.push_back(is_number_column(table, i));
    array.push_back({{"title", table.title},
                     {"about", table.about},
                     {"header", table.header},
                     {"is_number", is_number},
                     {"rows", table.rows}});
  }
  return array;
}

}  // namespace aplomb
