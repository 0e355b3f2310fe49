#pragma once

#include "aplomb/recording/examine.hpp"

namespace aplomb {

/// Nothing is mended here: gaps stay gaps, and faults are listed by frame.
MarkerChecks check_markers(const Points& points);

}  // namespace aplomb
