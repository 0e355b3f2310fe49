#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Joins several texts, of any bytes, into one; each after its length.
std::string join_parts(const std::vector<std::string>& parts);

/// The texts again. Throws InvalidValue on a text that join_parts did not write.
std::vector<std::string> split_parts(std::string_view text);

}  // namespace aplomb
