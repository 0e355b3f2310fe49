#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "aplomb/core/table/npz.hpp"

namespace aplomb {

/// Reads a pickled dictionary of numbers, texts, lists of texts and NumPy arrays (what GMR writes) as named arrays. The
/// reader knows the opcodes of these alone: a pickle is a program, and any other instruction, any function but NumPy's
/// three that build an array, is refused by name. None is run. Throws FileError.
std::vector<NpzArray> parse_pickle(std::string_view bytes, const std::filesystem::path& file);

/// A dictionary of the same kind (protocol 4). An array without shape is written as a number or, of texts, as a list.
std::string pickle_of(const std::vector<NpzArray>& arrays);

}  // namespace aplomb
