#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// A marker file in the text format of Motion Analysis and OpenSim.
struct TrcFile {
  Points points;
  std::vector<std::string> notes;  ///< wrong counts, unknown keys
};

/// Throws FileError, with line and column, on a row of another length, on a cell that is no number and not blank, and
/// on a header without a rate. Blank and NaN cells are gaps.
TrcFile read_trc(const InputBytes& input);

/// Reading back gives the same numbers to the last bit; gaps are blank cells. Throws FileError.
void write_trc(const std::filesystem::path& file, const Points& points);

}  // namespace aplomb
