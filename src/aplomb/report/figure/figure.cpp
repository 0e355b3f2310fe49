#include "aplomb/report/figure/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/report/figure/svg_axes.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

// Colours for the colour-blind after Okabe and Ito, as on the page (web/src/report.css).
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#b8568f", "#d18f00", "#3aa0dc", "#4d4d4d"};
constexpr const char* kStyle =
    "<style>text{font:9px sans-serif}.title{font-size:11px;font-weight:bold}.grid{stroke:#e3e3e3;stroke-width:.6}"
    ".frame{fill:none;stroke:#333;stroke-width:.8}.curve{fill:none;stroke-width:1.4;stroke-linejoin:round}"
    ".limit{stroke:#b3261e;stroke-width:.8;stroke-dasharray:2 2}.area{fill:#eef3f8;stroke:#777}"
    ".event{stroke:#999;stroke-width:.6;stroke-dasharray:1 2}.point{fill:none;stroke:#222;stroke-width:1.2}</style>\n";

Json parse(std::string_view page_data) {
  Json json = Json::parse(page_data, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw InvalidValue("not the data of a report");
  return json;
}

struct Named {
  std::string name;
  const Json* data = nullptr;  ///< the page, or the part of a chapter, with the plot's curves
  const Json* plot = nullptr;
  bool is_plane = false;
};

std::vector<Named> plots_of(const Json& data) {
  std::vector<Named> plots;
  const auto add = [&](const Json& part, const char* key, bool is_plane) {
    if (!part.contains(key)) return;
    for (const Json& plot : part[key]) {
      const std::string id = plot.value("id", "");
      const auto is_taken = [&](const std::string& name) {
        return std::ranges::find(plots, name, &Named::name) != plots.end();
      };
      std::string name = id;
      for (int count = 2; is_taken(name); ++count) name = fmt::format("{}_{}", id, count);
      plots.push_back({name, &part, &plot, is_plane});
    }
  };
  add(data, "line_plots", false);
  add(data, "plane_plots", true);
  if (!data.contains("chapters")) return plots;
  for (const Json& chapter : data["chapters"]) {
    for (const Json& part : chapter.at("parts")) {
      add(part, "line_plots", false);
      add(part, "plane_plots", true);
    }
  }
  return plots;
}

constexpr double kNoise = 1e-9;  // differences of a curve's values below this are rounding errors, as on the page

/// Smallest interval that contains all added numbers.
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
    const double size = std::max(std::abs(low), std::abs(high));
    const bool is_constant = high - low <= kNoise * std::max(1.0, size);  // no scale for rounding errors
    const double margin = !is_constant ? share * (high - low) : size > kNoise ? 0.1 * size : 1.0;
    low -= margin;
    high += margin;
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

std::string document(double width, double height, const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n"
      "{2}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, kStyle, content);
}

/// A run's plot in a figure of several runs.
struct Drawn {
  const Json* data = nullptr;  ///< page data of the run
  const Json* plot = nullptr;
  std::string suffix;  ///< appended to its labels in the legend

  const Json& curve(const Json& series) const { return data->at("curves").at(series.at("curve").get<std::size_t>()); }
};

/// Vertical lines at the beginning and end of the first run's events.
std::string events_svg(const Json& data, const SvgFrame& frame) {
  std::string svg;
  if (!data.contains("scene") || !data["scene"].is_object()) return svg;
  for (const Json& event : data["scene"].at("events")) {
    for (const char* key : {"start", "end"}) {
      const double at = event.at(key).get<double>();
      if (at < frame.x_min || at > frame.x_max) continue;
      svg += fmt::format("<path class=\"event\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", frame.x(at), frame.top, frame.height);
    }
  }
  return svg;
}

SvgFrame line_frame(const std::vector<Drawn>& runs) {
  Range x, y;
  for (const Drawn& run : runs) {
    for (const Json& series : run.plot->at("series")) {
      x.add(run.curve(series).at("x"));
      y.add(run.curve(series).at("y"));
    }
  }
  y.add(runs.front().plot->at("limits"));
  x.widen(0.0);
  y.widen(0.06);
  return {.x_min = x.low, .x_max = x.high, .y_min = y.low, .y_max = y.high};
}

/// "right foot (same as left foot)": the label, and which curve of the plot it hides.
std::string label_of(const Json& series, const Json& all) {
  const Json same = series.value("same_as", Json());
  const std::string label = series.value("label", "");
  return same.is_number() ? fmt::format("{} (same as {})", label, all.at(same.get<std::size_t>()).value("label", ""))
                          : label;
}

/// Dashed curves, as on the page: those that pair with a measured curve have its colour; otherwise the first is black
/// and the others have colours of their own.
const char* reference_colour(const std::vector<Drawn>& runs, std::size_t index) {
  const Json& first = runs.front().plot->at("series");
  const auto is_reference = [](const Json& series) { return series.value("is_reference", false); };
  const auto num_references = static_cast<std::size_t>(std::ranges::count_if(first, is_reference));
  const std::size_t num_measured = first.size() - num_references;
  if (num_references > 1 && num_references == num_measured) return kColours[index % kColours.size()];
  return index == 0 ? "#222222" : kColours[(runs.size() * num_measured + index - 1) % kColours.size()];
}

std::string line_figure(const std::vector<Drawn>& runs) {
  const Json& plot = *runs.front().plot;
  const SvgFrame frame = line_frame(runs);
  std::string svg = svg_axes(frame, plot.value("title", ""), plot.value("x_label", ""), plot.value("y_label", ""));
  if (plot.value("is_over_time", false)) svg += events_svg(*runs.front().data, frame);
  for (const Json& limit : plot.at("limits")) {
    svg += fmt::format("<path class=\"limit\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", frame.left,
                       frame.y(limit.get<double>()), frame.width);
  }
  std::size_t index = 0, reference = 0;
  SvgLegend legend(frame);
  for (const Drawn& run : runs) {
    for (const Json& series : run.plot->at("series")) {
      const bool is_reference = series.value("is_reference", false);
      if (is_reference && &run != &runs.front()) continue;  // draw references once, as the page does
      const char* colour = is_reference ? reference_colour(runs, reference++) : kColours[index++ % kColours.size()];
      svg += svg_curve(path_of(run.curve(series).at("x"), run.curve(series).at("y"), frame), colour, is_reference);
      svg += legend.add(colour, is_reference, label_of(series, run.plot->at("series")) + run.suffix);
    }
  }
  return document(std::max(620.0, legend.right()), frame.top + frame.height + 36.0, svg);
}

/// A path of a plane plot: its own, or another one in the same plot.
struct PlanePath {
  const Json* path;
  std::string label;
};

std::vector<PlanePath> paths_of(const Drawn& run) {
  std::vector<PlanePath> paths = {{run.plot, run.plot->value("label", "")}};
  if (!run.plot->contains("others")) return paths;
  for (const Json& other : run.plot->at("others")) paths.push_back({&other, other.value("label", "")});
  return paths;
}

/// The frame of a plane plot, with equal scales on both axes.
SvgFrame plane_frame(const std::vector<Drawn>& runs) {
  Range x, y;
  for (const Drawn& run : runs) {
    for (const PlanePath& one : paths_of(run)) {
      x.add(one.path->at("x"));
      y.add(one.path->at("y"));
    }
    for (const Json& point : run.plot->at("points")) {
      x.add(point.at("x").get<double>());
      y.add(point.at("y").get<double>());
    }
  }
  for (const Json& area : runs.front().plot->at("rectangles")) {
    for (const char* key : {"x_min", "x_max"}) x.add(area.at(key).get<double>());
    for (const char* key : {"y_min", "y_max"}) y.add(area.at(key).get<double>());
  }
  x.widen(0.06);
  y.widen(0.06);
  SvgFrame frame{.x_min = x.low, .x_max = x.high, .y_min = y.low, .y_max = y.high};
  frame.height = std::clamp(frame.width * (y.high - y.low) / (x.high - x.low), 60.0, 420.0);
  const double span = frame.height / frame.width * (x.high - x.low), centre = 0.5 * (y.low + y.high);
  if (span >= y.high - y.low) {
    frame.y_min = centre - 0.5 * span;
    frame.y_max = centre + 0.5 * span;
  } else {
    frame.width = frame.height * (x.high - x.low) / (y.high - y.low);
  }
  return frame;
}

/// Draws single points as crosses; with `is_named`, the first one has its label beside it.
std::string points_svg(const Json& points, const SvgFrame& frame, bool is_named) {
  std::string svg;
  for (const Json& point : points) {
    const double x = frame.x(point.at("x").get<double>()), y = frame.y(point.at("y").get<double>());
    svg += fmt::format("<path class=\"point\" d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\"/>\n", x - 4.0, y - 4.0);
    if (is_named && &point == &points.front()) svg += svg_text(x + 7.0, y + 10.0, "start", point.value("label", ""));
  }
  return svg;
}

std::string plane_figure(const std::vector<Drawn>& runs) {
  const Json& plot = *runs.front().plot;
  const SvgFrame frame = plane_frame(runs);
  std::string svg = svg_axes(frame, plot.value("title", ""), plot.value("x_label", ""), plot.value("y_label", ""));
  for (const Json& area : plot.at("rectangles")) {
    const double left = frame.x(area.at("x_min").get<double>()), top = frame.y(area.at("y_max").get<double>());
    svg +=
        fmt::format("<rect class=\"area\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", left, top,
                    frame.x(area.at("x_max").get<double>()) - left, frame.y(area.at("y_min").get<double>()) - top);
    svg += svg_text(left + 4.0, top + 11.0, "start", area.value("label", ""));
  }
  const bool is_single = runs.size() == 1;
  SvgLegend legend(frame);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const PlanePath& one : paths_of(runs[i])) {
      const char* colour = kColours[drawn++ % kColours.size()];
      svg += svg_curve(path_of(one.path->at("x"), one.path->at("y"), frame), colour, false);
      const std::string run = is_single ? std::string() : runs[i].suffix.substr(2);
      const std::string label = one.label.empty() || run.empty() ? one.label + run : one.label + ", " + run;
      if (!label.empty()) svg += legend.add(colour, false, label);
    }
    svg += points_svg(runs[i].plot->at("points"), frame, i == 0);
  }
  return document(legend.right(), frame.top + frame.height + 36.0, svg);
}

const Named* find_plot(const std::vector<Named>& plots, std::string_view name) {
  const auto found = std::ranges::find(plots, name, &Named::name);
  return found == plots.end() ? nullptr : &*found;
}

constexpr std::string_view kDigestLine = "<!-- a figure of aplomb; the lines above have the SHA-256 ";

std::string with_digest(const std::string& svg) { return fmt::format("{}{}{} -->\n", svg, kDigestLine, sha256(svg)); }

}  // namespace

bool is_unchanged_figure(const std::string& svg) {
  const std::size_t at = svg.rfind(kDigestLine);
  return at != svg.npos && svg == with_digest(svg.substr(0, at));
}

std::vector<std::string> figure_names(std::string_view page_data) {
  const Json data = parse(page_data);
  std::vector<std::string> names;
  for (const Named& plot : plots_of(data)) names.push_back(plot.name);
  return names;
}

std::string figure_svg(std::span<const FigureRun> runs, std::string_view name) {
  std::vector<Json> data;
  for (const FigureRun& run : runs) data.push_back(parse(run.page_data));
  std::vector<Drawn> drawn;
  bool is_plane = false;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::vector<Named> plots = plots_of(data[i]);
    const Named* found = find_plot(plots, name);
    if (found == nullptr && i > 0) continue;
    if (found == nullptr) {
      const std::vector<std::string> known = figure_names(runs[i].page_data);
      if (known.empty()) {
        throw InvalidValue(fmt::format(
            "no figure named '{}': this report has tables and statistics, but no curves; give the folder of one run",
            name));
      }
      throw InvalidValue(
          fmt::format("no figure named '{}' in this report; {}", name, suggestion(name, known, known.size())));
    }
    is_plane = found->is_plane;
    drawn.push_back({found->data, found->plot, runs.size() == 1 ? "" : ", " + runs[i].name});
  }
  try {
    return with_digest(is_plane ? plane_figure(drawn) : line_figure(drawn));
  } catch (const Json::exception&) {
    throw InvalidValue(fmt::format("the report's data of the figure '{}' are damaged", name));
  }
}

}  // namespace aplomb
