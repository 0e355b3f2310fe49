#pragma once

#include <string>
#include <vector>

namespace aplomb {

/// A table for the terminal: columns padded to the widest cell, a line under the header. A cell that is a number is
/// set to the right. The last column may be long; it is wrapped at the terminal's width.
std::string aligned_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

}  // namespace aplomb
