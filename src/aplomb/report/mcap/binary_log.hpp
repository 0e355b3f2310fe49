#pragma once

#include <string>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A log in the binary format of `aplomb view` (web/src/full_log.ts), little-endian: the length of the header (4
/// bytes), the header as JSON, padded with spaces so that both together are a multiple of 8 bytes, then each column:
/// time_s with 8 bytes per value, the others with 4, padded to a multiple of 8.
std::string binary_log(const Log& log);

}  // namespace aplomb
