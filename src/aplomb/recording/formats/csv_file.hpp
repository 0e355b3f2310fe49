#pragma once

#include <optional>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/points.hpp"
#include "aplomb/recording/table.hpp"

namespace aplomb {

/// A table of numbers with its columns' names in the first row. Commas, semicolons or tabs stand between the cells
/// (the one that the first row has most of); blank cells are NaN. Throws FileError, with line and column.
Table read_csv(const InputBytes& input);

/// The column of time in seconds: `time`, `time_s`, `Time (s)` and so on.
std::optional<std::size_t> time_column(const Table& table);

/// The markers of a table whose columns come in threes, `NAME_x NAME_y NAME_z` (or `.X`, ` X`, `:X`); none when there
/// are no threes. A unit after the axis (`_x_mm`) is taken as theirs.
std::optional<Points> points_of(const Table& table);

}  // namespace aplomb
