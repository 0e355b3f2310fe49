#pragma once

#include <string>

#include "aplomb/core/result.hpp"

namespace aplomb {

/// A result for the terminal: the verdict, each check with measured and required value, injected faults, and the other
/// metrics with their units (those that exist in this run; at most 40). Ends with a line
/// break.
std::string summary_table(const Result& result, bool with_colours = false);

/// Whether to print colours to this descriptor: it is a terminal, and the user did not set NO_COLOR.
bool wants_colours(int descriptor);

}  // namespace aplomb
