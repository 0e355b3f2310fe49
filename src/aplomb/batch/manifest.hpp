#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"

namespace aplomb {

/// A job as a manifest asks for it.
struct ManifestJob {
  std::vector<std::string> command;
  bool keeps_files = false;
  Place place;                 ///< of the entry or row
  bool is_first_like = false;  ///< the first job of an entry, or of a CSV's verb: check its options once
};

/// Calls `visit` for every job of a manifest, in its order. YAML: a list `jobs` of entries, each a verb with its input,
/// `seeds`, `set`, `grid` and options, of which lists are expanded; CSV: one job a row. docs/scale.md has both. A CSV
/// of any length is read line by line, and seeds are counted, not stored. Paths count from the current folder. Throws
/// FileError with line and column.
void for_each_job(const std::filesystem::path& manifest, const std::function<void(const ManifestJob&)>& visit);

// Shared by the two formats.
std::span<const std::string_view> batch_verbs();  ///< verbs that can be jobs
bool keeps_files_by_default(std::string_view verb);
bool parse_files(std::string_view text, const Place& place);  ///< "all" or "metrics"; throws FileError

}  // namespace aplomb
