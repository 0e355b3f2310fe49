#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A column quantised to 16 bits per value: value = low + step * code with a code of 0 .. 65534, and 65535 for a value
/// that is not finite. The error is at most half a step, 1/131068 of the column's range; all values of a column whose
/// range overflows a double count as not finite.
struct PackedColumn {
  std::string name;
  double low = 0.0, step = 0.0;
};

/// Columns one after the other, little-endian, as base64.
struct PackedColumns {
  std::vector<PackedColumn> columns;
  std::string base64;
};

/// Packs every column of the logs except `time_s`, at these rows. All logs must have the same times in their rows; a
/// log without columns adds none.
PackedColumns pack_columns(const std::vector<const Log*>& logs, const std::vector<std::size_t>& rows);

/// Bytes as text (RFC 4648).
std::string base64_of(const std::string& bytes);

/// Evenly spaced rows including the first and the last, at most `max_rows` (>= 2).
std::vector<std::size_t> evenly_spaced_rows(std::size_t num_rows, std::size_t stride, std::size_t max_rows);

}  // namespace aplomb
