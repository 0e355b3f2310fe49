#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "aplomb/batch/batch_folder.hpp"

namespace aplomb {

/// Writes the index of a batch: every job of the manifest with its key, one a line; a job that occurs twice is listed
/// twice and done once. Throws FileError.
void write_index(const std::filesystem::path& manifest, const BatchFolder& folder);

/// Reads an index line by line.
class BatchIndex {
 public:
  explicit BatchIndex(const BatchFolder& folder);  ///< throws FileError

  std::optional<BatchJob> next();  ///< absent at the end; throws FileError

 private:
  std::filesystem::path file_;
  std::ifstream stream_;
};

}  // namespace aplomb
