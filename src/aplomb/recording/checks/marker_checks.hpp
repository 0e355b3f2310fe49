#pragma once

#include "aplomb/recording/examine.hpp"

namespace aplomb {

/// Finds gaps, jumps, swapped and wrong labels, and lists them by frame; corrects nothing.
MarkerChecks check_markers(const Points& points);

}  // namespace aplomb
