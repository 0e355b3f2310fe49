#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Selects at most `max_rows` (>= 16) rows of a log, ascending, such that plots of `columns` look the same: the log is
/// divided into equal intervals, and each keeps the rows of every column's least and largest value, and one without a
/// finite value, so that gaps remain visible. The first and the last row are always included. A log of at most
/// `max_rows` rows keeps all.
std::vector<std::size_t> decimate(const Log& log, std::span<const std::size_t> columns, std::size_t max_rows);

}  // namespace aplomb
