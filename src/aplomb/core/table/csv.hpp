#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "aplomb/core/table/table_file.hpp"

namespace aplomb {

/// One CSV field by RFC 4180: quoted when it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

/// The table of a CSV file's text. `file` is the name in errors. Throws FileError with the line.
TableFile parse_csv(std::string_view text, const std::filesystem::path& file, const TableReadOptions& options);

}  // namespace aplomb
