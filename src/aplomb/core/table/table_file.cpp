#include "aplomb/core/table/table_file.hpp"

#include <fmt/format.h>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/core/table/npz.hpp"

namespace aplomb {

Place TableFile::place(std::size_t row) const {
  return {.file = file.string(), .line = lines.empty() ? 0 : lines[row]};
}

std::string TableFile::row_text(std::size_t row) const {
  return lines.empty() ? fmt::format("row {}: ", row + 1) : std::string();
}

TableFile read_table(const std::filesystem::path& file, const TableReadOptions& options) {
  const std::string bytes = read_file(file, options.max_bytes);
  if (file.extension() == ".npz") return {.file = file, .table = parse_npz(bytes, file)};
  return parse_csv(bytes, file, options);
}

}  // namespace aplomb
