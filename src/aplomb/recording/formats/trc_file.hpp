#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// A marker file in the text format of Motion Analysis and OpenSim.
struct TrcFile {
  Points points;
  std::vector<std::string> notes;       ///< wrong counts, unknown keys
  std::optional<FileError> time_fault;  ///< first fault of the time column
};

/// Throws FileError, with line and column, on a row of the wrong length, on a cell that is neither a number nor blank,
/// and on a header without a rate. Blank and NaN cells are gaps.
TrcFile read_trc(const InputBytes& input);

/// Writes gaps as blank cells; reading back gives the same numbers to the last bit. Throws FileError.
void write_trc(const std::filesystem::path& file, const Points& points);

}  // namespace aplomb
