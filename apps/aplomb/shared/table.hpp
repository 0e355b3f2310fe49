#pragma once

#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// A table for the terminal: columns padded to the widest cell, a line under the header, numbers aligned to the right.
/// The last column is wrapped at the terminal's width.
std::string aligned_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

/// A result for the terminal: its summary, in colours if standard output supports them, and the tables that are not
/// marked as details.
std::string result_text(const Result& result, const std::vector<PageTable>& tables);

}  // namespace aplomb
