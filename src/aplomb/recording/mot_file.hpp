#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/recording/table.hpp"

namespace aplomb {

class InputBytes;

/// A MOT or STO file: joint angles or forces over time, as OpenSim and SIMM keep them. The first column is `time`.
struct MotFile {
  std::string name;
  bool in_degrees = false;           ///< rotations; says nothing of forces
  std::string data_type = "double";  ///< of each column but time: double, Vec3, Quaternion, ...
  std::size_t num_elements = 1;      ///< numbers in a cell; a Vec3 column `p` becomes the columns `p.1 p.2 p.3`
  std::vector<std::pair<std::string, std::string>> header;  ///< what else its header says, in its order
  Table table;
  std::vector<std::string> notes;
};

/// Throws FileError, with line and column. Both forms of the header are read (SIMM: `datacolumns N`; OpenSim:
/// `nColumns=N`).
MotFile read_mot(const InputBytes& input);
MotFile read_mot(const std::filesystem::path& file);

/// Throws FileError. In OpenSim's form; what is read back is what was written.
void write_mot(const std::filesystem::path& file, const MotFile& mot);

}  // namespace aplomb
