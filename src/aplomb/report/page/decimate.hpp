#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Rows of a log that draw `columns` as all rows would, at most `max_rows` (>= 16) of them, ascending: the log is cut
/// into equal intervals, and each keeps the rows of every column's least and largest value, and one without a value
/// (NaN, inf) so that a gap stays a gap. The first and the last row are always there. All rows, when they are few
/// enough.
std::vector<std::size_t> decimate(const Log& log, std::span<const std::size_t> columns, std::size_t max_rows);

}  // namespace aplomb
