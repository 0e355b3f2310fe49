#pragma once

#include <filesystem>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A table as a file has it, with the place of every row.
struct TableFile {
  std::filesystem::path file;
  Log table;
  std::vector<int> lines;  ///< of the rows in a CSV file, from 1; empty for an NPZ

  Place place(std::size_t row) const;           ///< for errors
  std::string row_text(std::size_t row) const;  ///< "row 12" where there are no lines
};

/// Reads `.csv` (a header line, RFC 4180, numbers with a point; an empty field is not a number) or `.npz` (one vector a
/// column, NumPy's `savez`, not compressed). Nothing in the file is trusted: sizes are bounded by the file's own.
/// Throws FileError with the line.
TableFile read_table(const std::filesystem::path& file);

}  // namespace aplomb
