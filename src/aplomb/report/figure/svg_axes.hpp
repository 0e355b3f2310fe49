#pragma once

#include <string>
#include <string_view>
#include <vector>

// Private to report/.

namespace aplomb {

/// Maps a rectangle of values to a rectangle on the paper [pt].
struct SvgFrame {
  double x_min = 0.0, x_max = 1.0, y_min = 0.0, y_max = 1.0;
  double left = 58.0, top = 30.0, width = 380.0, height = 210.0;

  double x(double value) const { return left + width * (value - x_min) / (x_max - x_min); }
  double y(double value) const { return top + height * (y_max - value) / (y_max - y_min); }
};

/// Round numbers in [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

std::string escape_xml(std::string_view text);

/// Text at a position; `anchor` is start, middle or end.
std::string svg_text(double x, double y, std::string_view anchor, std::string_view text, std::string_view more = {});

std::string svg_curve(std::string_view path, std::string_view colour, bool is_dashed);

/// Legend: names of curves in a column beside the frame.
class SvgLegend {
 public:
  explicit SvgLegend(const SvgFrame& frame);

  std::string add(std::string_view colour, bool is_dashed, std::string_view label);
  double right() const { return right_; }  ///< right end of the frame or of the longest name [pt]

 private:
  double left_, row_, right_;
};

/// Frame, grid, numbers, labels and title.
std::string svg_axes(const SvgFrame& frame, std::string_view title, std::string_view x_label, std::string_view y_label);

}  // namespace aplomb
