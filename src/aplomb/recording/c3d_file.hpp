#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/recording/analog.hpp"
#include "aplomb/recording/formats/c3d/c3d_parameters.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Something that happened: a foot strike, the start of a phase.
struct MotionEvent {
  std::string label;
  std::string context;  ///< "Left", "Right", "General"; may be empty
  double time_s = 0.0;
};

/// A C3D file: markers, analog channels, events and all parameters.
struct C3dFile {
  Processor processor = Processor::intel;
  bool is_real = true;  ///< numbers are stored as reals, else as 16-bit integers
  Points points;
  Analog analog;
  std::vector<MotionEvent> events;
  C3dParameters parameters;
  std::vector<std::string> notes;  ///< contradictions, and what was taken
};

/// Throws FileError when the file is not C3D, contradicts itself or ends before its last frame. No more memory is taken
/// than the file's own size explains. A marker at exactly (0, 0, 0) is a gap: lost markers are stored so.
C3dFile read_c3d(const InputBytes& input);

/// Throws FileError; InvalidValue when a label is longer than the format can hold. Intel, real; markers, analog
/// channels, events and parameters read back as they were.
void write_c3d(const std::filesystem::path& file, const C3dFile& c3d);

/// The bytes that `write_c3d` writes. Throws InvalidValue as it does.
std::string c3d_bytes(const C3dFile& c3d);

}  // namespace aplomb
