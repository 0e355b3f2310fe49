#pragma once

#include <string>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A log as the page of `aplomb view` reads it (web/src/full_log.ts), little-endian: the length of the header (4
/// bytes), the header as JSON with spaces up to a multiple of 8 bytes in all, then each column: time_s in 8 bytes a
/// value, the others in 4, padded to a multiple of 8.
std::string binary_log(const Log& log);

}  // namespace aplomb
