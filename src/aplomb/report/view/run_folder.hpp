#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// A folder written with `--out`, as far as it can be read.
struct RunFolder {
  std::filesystem::path path;
  std::string name;       ///< name of the folder
  std::string page_data;  ///< JSON as in web/src/page_data.ts; where report.html is damaged, a page that says so
};

/// Reads report.html; when it is missing or damaged, the page says so and shows the metrics of metrics.json. Throws
/// FileError when there is no such folder.
RunFolder read_run_folder(const std::filesystem::path& path);

/// Reads the whole log: log.npz, or else log.csv. Empty when there is neither; throws FileError on a damaged file.
Log read_log_of(const RunFolder& folder);

}  // namespace aplomb
