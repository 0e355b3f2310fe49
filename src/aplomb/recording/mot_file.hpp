#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/table.hpp"

namespace aplomb {

class InputBytes;

/// A MOT or STO file: joint angles or forces over time, in the format of OpenSim and SIMM. The first column is `time`.
struct MotFile {
  std::string name;
  bool in_degrees = false;           ///< rotations are in degrees, else in radians
  std::string data_type = "double";  ///< type of every column except time: double, Vec3, Quaternion, ...
  std::size_t num_elements = 1;      ///< numbers per cell; a Vec3 column `p` becomes the columns `p.1 p.2 p.3`
  std::vector<std::pair<std::string, std::string>> header;  ///< further header entries, in the file's order
  Table table;
  std::vector<std::string> notes;
  std::optional<FileError> time_fault;  ///< first fault of the time column, for users that need samples at one rate
};

/// Throws FileError, with line and column. Both forms of the header are read (SIMM: `datacolumns N`; OpenSim:
/// `nColumns=N`).
MotFile read_mot(const InputBytes& input);
MotFile read_mot(const std::filesystem::path& file);

/// Writes OpenSim's header; reading back gives the same numbers. Throws FileError.
void write_mot(const std::filesystem::path& file, const MotFile& mot);

}  // namespace aplomb
