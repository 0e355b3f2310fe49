#include "aplomb/recording/formats/trc_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/time_column.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/number_text.hpp"

namespace aplomb {
namespace {

constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

const std::vector<std::string>& header_keys() {
  static const std::vector<std::string> keys = {"DataRate", "CameraRate",   "NumFrames",          "NumMarkers",
                                                "Units",    "OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"};
  return keys;
}

class TrcReader {
 public:
  explicit TrcReader(const InputBytes& input) : input_(input), lines_(input) { file_.points.unit.clear(); }

  TrcFile read() {
    read_kind();
    read_header();
    read_labels();
    read_rows();
    check_counts();
    return std::move(file_);
  }

 private:
  std::string_view next_line(std::string_view what) {
    std::string_view line;
    if (!lines_.next(line)) throw FileError({input_.name()}, fmt::format("ends before {}", what));
    return line;
  }

  void read_kind() {
    if (input_.size() == 0) throw FileError({input_.name()}, "is empty");
    const std::string_view line = next_line("its first line");
    if (!same_word(trimmed(line).substr(0, 12), "PathFileType")) {
      lines_.fail(line, fmt::format("not a TRC file: its first line begins with '{}', not with PathFileType",
                                    shortened(line, 20)));
    }
  }

  /// Line 2 has the keys, line 3 their values. Some writers omit keys (MOtoNMS writes seven).
  void read_header() {
    const std::string names_line(next_line("line 2, which names DataRate and the other keys"));
    lines_.require_columns('\t');
    const bool has_tabs = names_line.find('\t') != std::string::npos;
    const std::vector<std::string_view> names = has_tabs ? split(names_line, '\t') : words(names_line);
    const std::string_view values_line = next_line("line 3, which has the values of the keys");
    lines_.require_columns('\t');
    const std::vector<std::string_view> values = has_tabs ? split(values_line, '\t') : words(values_line);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) continue;
      const auto known = std::ranges::find_if(header_keys(), [&](auto& key) { return same_word(key, names[i]); });
      if (known == header_keys().end()) {
        file_.notes.push_back(fmt::format("line 2: unknown key '{}' is ignored", clean_label(shortened(names[i]))));
        continue;
      }
      if (i >= values.size()) lines_.fail(nullptr, fmt::format("has no value for the key {} of line 2", *known));
      take(*known, values[i]);
    }
    if (std::isnan(data_rate_)) data_rate_ = camera_rate_;
    if (std::isnan(data_rate_)) {
      throw FileError({input_.name(), 2}, fmt::format("the key DataRate is missing; line 2 says '{}' (the keys are {}, "
                                                      "with tabs between them)",
                                                      shortened(names_line), fmt::join(header_keys(), " ")));
    }
  }

  void take(const std::string& key, std::string_view text) {
    if (key == "Units") {
      file_.points.unit = clean_label(text);
      return;
    }
    double value = 0.0;
    if (!parse_number(text, value)) {
      lines_.fail(text, fmt::format("{} is '{}', a number is expected", key, shortened(text, 20)));
    }
    if ((key == "DataRate" || key == "CameraRate") && !(value > 0.0 && value < 1e6)) {
      lines_.fail(text, fmt::format("{} is {}, valid: above 0 Hz, below 1e6 Hz", key, value));
    }
    if (key == "DataRate") data_rate_ = value;
    if (key == "CameraRate") camera_rate_ = value;
    if (key == "NumFrames") num_frames_ = value;
    if (key == "NumMarkers") num_markers_ = value;
  }

  /// Line 4: each label is above the first of its three columns. Some writers put the labels in adjacent columns.
  void read_labels() {
    const std::string_view line = next_line("line 4, which has the labels");
    lines_.require_columns('\t');
    std::vector<std::string_view> cells = split(line, '\t');
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    if (cells.size() < 2 || !same_word(cells[1], "Time")) {
      lines_.fail(line, fmt::format("the labels begin with '{}'; 'Frame#', a tab and 'Time' are expected",
                                    shortened(line, 20)));
    }
    bool is_every_third = true;
    for (std::size_t i = 2; i < cells.size(); ++i) is_every_third = is_every_third && (cells[i].empty() || i % 3 == 2);
    std::vector<std::string>& labels = file_.points.labels;
    for (std::size_t i = 2; i < cells.size(); ++i) {
      if (is_every_third && i % 3 != 2) continue;
      if (!is_every_third && cells[i].empty()) continue;
      labels.push_back(cells[i].empty() ? fmt::format("*{}", labels.size() + 1) : clean_label(cells[i]));
    }
    if (!std::isnan(num_markers_) && num_markers_ != static_cast<double>(labels.size())) {
      lines_.fail(line, fmt::format("{} labels, but NumMarkers of line 3 says {}", labels.size(), num_markers_));
    }
    if (labels.empty()) lines_.fail(line, "no marker is named after 'Frame#' and 'Time'");
    file_.points.kinds.assign(labels.size(), PointKind::marker);
  }

  void read_rows() {
    Points& points = file_.points;
    // Bounds the reservation by the file's size: a row of n cells has n − 1 tabs.
    const std::size_t most_rows = input_.size() / (3 * points.num_points() + 1) + 1;
    points.xyz.reserve(3 * points.num_points() * std::min(most_rows, count_line_ends(input_)));
    std::string_view line;
    bool is_first = true;
    while (lines_.next(line)) {
      // Line 5 is the heading X1 Y1 Z1 ...; a blank line may follow.
      const bool is_heading = is_first && trimmed(line).substr(0, 1).find_first_of("Xx") == 0;
      if (!is_heading && !trimmed(line).empty()) read_row(line);
      if (!trimmed(line).empty()) is_first = false;
    }
  }

  void read_row(std::string_view line) {
    Points& points = file_.points;
    const char* at = line.data();
    const char* end = at + line.size();
    const std::size_t num_cells = 2 + 3 * points.num_points();
    double frame = 0.0;
    double time = 0.0;
    number(at, end, "the frame's number", frame);
    step(at, end, 1, num_cells);
    number(at, end, "the time", time);
    if (points.num_frames == 0) {
      points.start_s = time;
      points.first_frame = std::abs(frame) < 1e15 ? static_cast<std::int64_t>(frame) : 1;
    }
    times_.push_back(time);
    row_lines_.push_back(lines_.line());
    for (std::size_t marker = 0; marker < points.num_points(); ++marker) {
      read_point(at, end, marker, num_cells);
    }
    const std::string_view rest = trimmed({at, static_cast<std::size_t>(end - at)});
    if (!rest.empty()) {
      lines_.fail(rest, fmt::format("the row goes on after its {} cells (frame, time, {} markers x 3) with '{}'",
                                    num_cells, points.num_points(), shortened(rest, 20)));
    }
    ++points.num_frames;
  }

  /// True when the time steps are even; otherwise notes where they are not.
  bool is_time_even() {
    const auto fault = find_time_fault(times_);
    if (!fault) return true;
    const int line = row_lines_[fault->row];
    file_.time_fault.emplace(Place{input_.name(), line}, fault->text);
    file_.notes.push_back(fmt::format("line {}: {}: DataRate is used", line, fault->text));
    return false;
  }

  void read_point(const char*& at, const char* end, std::size_t marker, std::size_t num_cells) {
    std::vector<float>& xyz = file_.points.xyz;
    int num_blank = 0;
    const char* start = at;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      step(at, end, 2 + 3 * marker + axis, num_cells);
      const char* cell = at;
      double value = 0.0;
      const Cell kind = read_cell(at, end, '\t', value);
      const auto single = static_cast<float>(value);
      if (kind == Cell::wrong || (kind == Cell::number && !std::isfinite(single))) fail_cell(cell, at, marker, axis);
      if (kind == Cell::blank) ++num_blank;
      xyz.push_back(single);
    }
    if (num_blank == 3) std::fill(xyz.end() - 3, xyz.end(), kGap);
    if (num_blank == 1 || num_blank == 2) {
      lines_.fail(start + 1, fmt::format("marker {} has {} of its 3 coordinates; a lost marker has three blank cells",
                                         file_.points.labels[marker], 3 - num_blank));
    }
  }

  [[noreturn]] void fail_cell(const char* cell, const char* end, std::size_t marker, std::size_t axis) const {
    const std::string_view text(cell, static_cast<std::size_t>(end - cell));
    const bool has_comma = text.find(',') != std::string_view::npos;
    lines_.fail(cell, fmt::format("'{}' is not a number ({} of marker {}){}", shortened(text, 20), "XYZ"[axis],
                                  file_.points.labels[marker], has_comma ? "; write decimals with a point" : ""));
  }

  void number(const char*& at, const char* end, std::string_view what, double& value) const {
    const char* cell = at;
    if (read_cell(at, end, '\t', value) != Cell::number) {
      lines_.fail(cell, fmt::format("{} is '{}', a number is expected", what,
                                    shortened({cell, static_cast<std::size_t>(at - cell)}, 20)));
    }
  }

  /// Skips the tab before cell `index`.
  void step(const char*& at, const char* end, std::size_t index, std::size_t num_cells) const {
    if (at != end) {
      ++at;
      return;
    }
    lines_.fail(end, fmt::format("the row ends after {} cells, {} are expected (frame, time, {} markers x 3)", index,
                                 num_cells, file_.points.num_points()));
  }

  void check_counts() {
    Points& points = file_.points;
    if (points.num_frames == 0) throw FileError({input_.name()}, "has no row of data");
    points.rate_hz = data_rate_;
    if (!std::isnan(num_frames_) && num_frames_ != static_cast<double>(points.num_frames)) {
      file_.notes.push_back(
          fmt::format("NumFrames of line 3 says {}, the file has {} rows{}", num_frames_, points.num_frames,
                      static_cast<double>(points.num_frames) < num_frames_ ? ": is it cut off?" : ""));
    }
    const double duration = times_.back() - points.start_s;
    if (is_time_even() && points.num_frames > 1) {
      const double rate = static_cast<double>(points.num_frames - 1) / duration;
      if (std::abs(rate - data_rate_) > 0.01 * data_rate_) {
        file_.notes.push_back(fmt::format("the Time column runs at {:.6g} Hz, DataRate says {:.6g}: the column is used",
                                          rate, data_rate_));
        points.rate_hz = rate;
      }
    }
    for (const std::string& label : repeated_names(points.labels)) {
      file_.notes.push_back(fmt::format("two markers are named '{}'", label));
    }
  }

  const InputBytes& input_;
  LineReader lines_;
  TrcFile file_;
  double data_rate_ = std::numeric_limits<double>::quiet_NaN();
  double camera_rate_ = std::numeric_limits<double>::quiet_NaN();
  double num_frames_ = std::numeric_limits<double>::quiet_NaN();
  double num_markers_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> times_;
  std::vector<int> row_lines_;  ///< line of each row
};

std::string header(const std::string& name, const Points& points) {
  std::string text = fmt::format("PathFileType\t4\t(X/Y/Z)\t{}\n", name);
  text += "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
  text += fmt::format("{0}\t{0}\t{1}\t{2}\t{3}\t{0}\t{4}\t{1}\n", points.rate_hz, points.num_frames,
                      points.num_points(), points.unit, points.first_frame);
  std::string axes;
  text += "Frame#\tTime";
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    text += (i == 0 ? "\t" : "\t\t\t") + points.labels[i];
    axes += fmt::format("\tX{0}\tY{0}\tZ{0}", i + 1);
  }
  return text + "\t\t\n\t" + axes + "\n\n";
}

}  // namespace

TrcFile read_trc(const InputBytes& input) { return TrcReader(input).read(); }

void write_trc(const std::filesystem::path& file, const Points& points) {
  for (const std::string& label : points.labels) {
    if (label.find_first_of("\t\r\n") != std::string::npos) {
      throw InvalidValue(
          fmt::format("a marker's label with a tab or a line break does not fit a TRC file: '{}'", label));
    }
  }
  OutputFile output(file);
  output.write(header(file.filename().string(), points));
  std::string row;
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    row = std::to_string(points.first_frame + static_cast<std::int64_t>(frame)) + '\t';
    append_number(row, points.time_s(frame));
    for (std::size_t point = 0; point < points.num_points(); ++point) {
      for (int axis = 0; axis < 3; ++axis) {
        row += '\t';
        if (points.is_seen(frame, point)) append_number(row, points.raw(frame, point)[axis]);
      }
    }
    output.write(row += '\n');
  }
  output.close();
}

}  // namespace aplomb
