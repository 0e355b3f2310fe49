#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// What a verb left with `--out`, as far as it can be read.
struct RunFolder {
  std::filesystem::path path;
  std::string name;       ///< the folder's own
  std::string page_data;  ///< JSON as in web/src/page_data.ts; where report.html is damaged, a page that says so
};

/// Reads report.html, or says in the page what is missing (and shows what metrics.json has). Throws FileError when
/// there is no such folder.
RunFolder read_run_folder(const std::filesystem::path& path);

/// The whole log: log.npz, else log.csv. Without columns when there is neither; throws FileError on a damaged one.
Log read_log_of(const RunFolder& folder);

}  // namespace aplomb
