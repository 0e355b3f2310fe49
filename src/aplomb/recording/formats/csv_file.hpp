#pragma once

#include <optional>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"
#include "aplomb/recording/table.hpp"

namespace aplomb {

/// Reads a table of numbers with the column names in the first row. The separator is the comma, semicolon or tab,
/// whichever is most frequent in the first row; blank cells are NaN. Throws FileError, with line and column.
Table read_csv(const InputBytes& input);

/// Index of the column of time in seconds: `time`, `time_s`, `Time (s)` and so on.
std::optional<std::size_t> time_column(const Table& table);

/// The markers of a table with three columns per marker, `NAME_x NAME_y NAME_z` (or `.X`, ` X`, `:X`); none when there
/// are no such columns. A unit after the axis (`_x_mm`) becomes the unit of the markers.
std::optional<Points> points_of(const Table& table);

}  // namespace aplomb
