#pragma once

#include <filesystem>
#include <functional>

#include "aplomb/batch/manifest.hpp"

namespace aplomb {

/// for_each_job of a CSV: columns `verb`, `input`, and any of `files`, `seed`, `set.KEY`, and options by their name. An
/// empty field leaves that option out.
void for_each_csv_job(const std::filesystem::path& manifest, const std::function<void(const ManifestJob&)>& visit);

}  // namespace aplomb
