#include "aplomb/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "aplomb/core/error.hpp"
#include "aplomb/report/svg_axes.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

// Okabe and Ito, as on the page (web/src/report.css).
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#b8568f", "#d18f00", "#3aa0dc", "#4d4d4d"};
constexpr const char* kStyle =
    "<style>text{font:9px sans-serif}.title{font-size:11px;font-weight:bold}.grid{stroke:#e3e3e3;stroke-width:.6}"
    ".frame{fill:none;stroke:#333;stroke-width:.8}.curve{fill:none;stroke-width:1.4;stroke-linejoin:round}"
    ".limit{stroke:#b3261e;stroke-width:.8;stroke-dasharray:2 2}.area{fill:#eef3f8;stroke:#777}</style>\n";

Json parse(std::string_view page_data) {
  Json json = Json::parse(page_data, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw InvalidValue("these are not the data of a report");
  return json;
}

std::string slug_of(const std::string& title) {
  std::string slug;
  for (const char letter : title) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!slug.empty() && slug.back() != '_') {
      slug += '_';
    }
  }
  while (slug.ends_with('_')) slug.pop_back();
  return slug.empty() ? "figure" : slug;
}

struct Named {
  std::string name;
  const Json* plot = nullptr;
  bool is_plane = false;
};

std::vector<Named> plots_of(const Json& data) {
  std::vector<Named> plots;
  std::map<std::string, int> counts;
  for (const char* kind : {"line_plots", "plane_plots"}) {
    if (!data.contains(kind)) continue;
    for (const Json& plot : data[kind]) {
      std::string name = slug_of(plot.value("title", ""));
      const int count = ++counts[name];
      if (count > 1) name += fmt::format("_{}", count);
      plots.push_back({std::move(name), &plot, std::string_view(kind) == "plane_plots"});
    }
  }
  return plots;
}

/// The range of all numbers that were shown to it.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(const Json& values) {
    for (const Json& value : values) {
      if (value.is_number()) add(value.get<double>());
    }
  }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen(double share) {
    if (low > high) *this = {0.0, 1.0};
    const double air = high > low ? share * (high - low) : 0.1 * std::max(1.0, std::abs(high));
    low -= air;
    high += air;
  }
};

std::string path_of(const Json& x, const Json& y, const SvgFrame& frame) {
  std::string path;
  bool is_drawing = false;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!x[i].is_number() || !y[i].is_number()) {
      is_drawing = false;
      continue;
    }
    path += fmt::format("{}{:.2f} {:.2f}", is_drawing ? 'L' : 'M', frame.x(x[i].get<double>()),
                        frame.y(y[i].get<double>()));
    is_drawing = true;
  }
  return path;
}

std::string curve_svg(const std::string& path, const char* colour, bool is_dashed) {
  return fmt::format("<path class=\"curve\" stroke=\"{}\"{} d=\"{}\"/>\n", colour,
                     is_dashed ? " stroke-dasharray=\"5 3\"" : "", path);
}

std::string document(double width, double height, const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n"
      "{2}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, kStyle, content);
}

std::string line_figure(const Json& plot, const Json& curves) {
  Range x, y;
  for (const Json& series : plot.at("series")) {
    const Json& curve = curves.at(series.at("curve").get<std::size_t>());
    x.add(curve.at("x"));
    y.add(curve.at("y"));
  }
  y.add(plot.at("limits"));
  x.widen(0.0);
  y.widen(0.06);
  const SvgFrame frame{.x_min = x.low, .x_max = x.high, .y_min = y.low, .y_max = y.high};
  std::string svg = svg_axes(frame, plot.value("title", ""), plot.value("x_label", ""), plot.value("y_label", ""));
  for (const Json& limit : plot.at("limits")) {
    svg += fmt::format("<path class=\"limit\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", frame.left,
                       frame.y(limit.get<double>()), frame.width);
  }
  std::size_t index = 0;
  const double right = frame.left + frame.width + 10.0;
  for (const Json& series : plot.at("series")) {
    const Json& curve = curves.at(series.at("curve").get<std::size_t>());
    const bool is_reference = series.value("is_reference", false);
    const char* colour = is_reference ? "#222222" : kColours[index % kColours.size()];
    const double row = frame.top + 8.0 + 14.0 * static_cast<double>(index++);
    svg += curve_svg(path_of(curve.at("x"), curve.at("y"), frame), colour, is_reference);
    svg += curve_svg(fmt::format("M{:.1f} {:.1f}h16", right, row - 3.0), colour, is_reference);
    svg += svg_text(right + 21.0, row, "start", series.value("label", ""));
  }
  return document(620.0, frame.top + frame.height + 36.0, svg);
}

std::string plane_figure(const Json& plot) {
  Range x, y;
  x.add(plot.at("x"));
  y.add(plot.at("y"));
  for (const Json& area : plot.at("rectangles")) {
    for (const char* key : {"x_min", "x_max"}) x.add(area.at(key).get<double>());
    for (const char* key : {"y_min", "y_max"}) y.add(area.at(key).get<double>());
  }
  x.widen(0.06);
  y.widen(0.06);
  // A metre is as long along y as along x.
  SvgFrame frame{.x_min = x.low, .x_max = x.high, .y_min = y.low, .y_max = y.high};
  frame.height = std::clamp(frame.width * (y.high - y.low) / (x.high - x.low), 60.0, 420.0);
  const double span = frame.height / frame.width * (x.high - x.low), centre = 0.5 * (y.low + y.high);
  if (span >= y.high - y.low) {
    frame.y_min = centre - 0.5 * span;
    frame.y_max = centre + 0.5 * span;
  } else {
    frame.width = frame.height * (x.high - x.low) / (y.high - y.low);
  }
  std::string svg = svg_axes(frame, plot.value("title", ""), plot.value("x_label", ""), plot.value("y_label", ""));
  for (const Json& area : plot.at("rectangles")) {
    const double left = frame.x(area.at("x_min").get<double>()), top = frame.y(area.at("y_max").get<double>());
    svg +=
        fmt::format("<rect class=\"area\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left, top,
                    frame.x(area.at("x_max").get<double>()) - left, frame.y(area.at("y_min").get<double>()) - top);
    svg += svg_text(left + 4.0, top + 11.0, "start", area.value("label", ""));
  }
  svg += curve_svg(path_of(plot.at("x"), plot.at("y"), frame), kColours[0], false);
  return document(frame.left + frame.width + 20.0, frame.top + frame.height + 36.0, svg);
}

}  // namespace

std::vector<std::string> figure_names(std::string_view page_data) {
  const Json data = parse(page_data);
  std::vector<std::string> names;
  for (const Named& plot : plots_of(data)) names.push_back(plot.name);
  return names;
}

std::string figure_svg(std::string_view page_data, std::string_view name) {
  const Json data = parse(page_data);
  std::vector<std::string> names;
  for (const Named& one : plots_of(data)) {
    names.push_back(one.name);
    if (one.name != name) continue;
    try {
      return one.is_plane ? plane_figure(*one.plot) : line_figure(*one.plot, data.at("curves"));
    } catch (const Json::exception&) {
      throw InvalidValue(fmt::format("the report's data of the figure '{}' are damaged", name));
    }
  }
  throw UnknownName("figure", name, "this report", names);
}

}  // namespace aplomb
