#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A table together with the file that it was read from, so that errors can name the place of a row.
struct TableFile {
  std::filesystem::path file;
  Log table;
  std::vector<int> lines;  ///< line of each row in a CSV file, counted from 1; empty for an NPZ file

  Place place(std::size_t row) const;           ///< for errors
  std::string row_text(std::size_t row) const;  ///< "row 12: " where the lines are not known, otherwise empty
};

struct TableReadOptions {
  std::size_t max_bytes = std::size_t{4} << 30;
  /// The CSV file was written by write_csv. An empty line or field, or a last line without its line break, then means
  /// that the file is damaged, and is refused. Otherwise an empty field is NaN and empty lines are skipped.
  bool is_own = false;
  bool has_header = true;  ///< of a CSV file; without one its columns are "column 1", "column 2", ...
};

/// Reads an `.npz` file (NumPy's `savez`: one vector per column, stored without compression) or, with any other name,
/// CSV (RFC 4180: a header line, commas, numbers with a decimal point). The file is untrusted input: every size is
/// checked against the file's own, every NPZ member against its checksum. Throws FileError with the line or the member.
TableFile read_table(const std::filesystem::path& file, const TableReadOptions& options = {});

void write_csv(const Log& table, const std::filesystem::path& file);  ///< 9 significant digits; throws FileError
void write_npz(const Log& table, const std::filesystem::path& file);  ///< a float64 vector per column; throws FileError

}  // namespace aplomb
