#include <fmt/format.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/recording/formats/number_text.hpp"
#include "aplomb/recording/formats/trc_file.hpp"

namespace aplomb {
namespace {

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
