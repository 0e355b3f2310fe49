#include "aplomb/report/figure/svg_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aplomb {

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / count;
  if (!(rough > 0.0) || !std::isfinite(rough)) return {low};
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1.0)
    ticks.push_back(i * step + 0.0);  // + 0.0: no "-0"
  return ticks;
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '&') {
      escaped += "&amp;";
    } else if (letter == '<') {
      escaped += "&lt;";
    } else if (letter == '>') {
      escaped += "&gt;";
    } else if (letter == '"') {
      escaped += "&quot;";
    } else if (static_cast<unsigned char>(letter) >= 0x20) {
      escaped += letter;
    }
  }
  return escaped;
}

std::string svg_text(double x, double y, std::string_view anchor, std::string_view text, std::string_view more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", x, y, anchor,
                     more.empty() ? "" : " ", more, escape_xml(text));
}

std::string svg_curve(std::string_view path, std::string_view colour, bool is_dashed) {
  return fmt::format("<path class=\"curve\" stroke=\"{}\"{} d=\"{}\"/>\n", colour,
                     is_dashed ? " stroke-dasharray=\"5 3\"" : "", path);
}

SvgLegend::SvgLegend(const SvgFrame& frame)
    : left_(frame.left + frame.width + 10.0), row_(frame.top + 8.0), right_(left_ + 10.0) {}

std::string SvgLegend::add(std::string_view colour, bool is_dashed, std::string_view label) {
  constexpr double kLetter = 5.4;  // [pt] mean width of a letter at 9 pt
  const std::string svg = svg_curve(fmt::format("M{:.1f} {:.1f}h16", left_, row_ - 3.0), colour, is_dashed) +
                          svg_text(left_ + 21.0, row_, "start", label);
  row_ += 14.0;
  right_ = std::max(right_, left_ + 31.0 + kLetter * static_cast<double>(label.size()));
  return svg;
}

std::string svg_axes(const SvgFrame& frame, std::string_view title, std::string_view x_label,
                     std::string_view y_label) {
  const double right = frame.left + frame.width, bottom = frame.top + frame.height;
  std::string svg;
  for (const double tick : round_ticks(frame.x_min, frame.x_max, 6)) {
    const double x = frame.x(tick);
    svg += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x, frame.top, bottom);
    svg += svg_text(x, bottom + 13.0, "middle", fmt::format("{:.6g}", tick));
  }
  for (const double tick : round_ticks(frame.y_min, frame.y_max, 5)) {
    const double y = frame.y(tick);
    svg += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>\n", frame.left, y, right);
    svg += svg_text(frame.left - 5.0, y + 3.5, "end", fmt::format("{:.6g}", tick));
  }
  svg += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                     frame.left, frame.top, frame.width, frame.height);
  svg += svg_text(frame.left, 16.0, "start", title, "class=\"title\"");
  svg += svg_text(0.5 * (frame.left + right), bottom + 28.0, "middle", x_label);
  const double middle = 0.5 * (frame.top + bottom);
  svg += svg_text(13.0, middle, "middle", y_label, fmt::format("transform=\"rotate(-90 13 {:.1f})\"", middle));
  return svg;
}

}  // namespace aplomb
