#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "aplomb/core/files/scratch_folder.hpp"

namespace aplomb {

/// A file that a user named (`demonstrate --out`, `view --save`), written whole or not at all, and never over another
/// file:
///
///   PendingFile pending("natural.c3d");
///   pending.fill([&](const auto& path) { write_c3d(path, c3d); });   // into a private folder beside it
///   pending.place();                                                 // throws FileError when another file is there
///
/// A file with the same contents counts as placed. A device or a pipe is written directly.
class PendingFile {
 public:
  /// Says of the contents of a file in the way whether aplomb wrote them and they may be replaced.
  using Recogniser = std::function<bool(const std::string& contents)>;

  /// Without `is_ours` no file with other contents is replaced. Throws FileError when the target cannot be written.
  explicit PendingFile(const std::filesystem::path& target, Recogniser is_ours = {});

  void fill(const std::function<void(const std::filesystem::path&)>& write);  ///< errors name the target
  void require_placeable() const;  ///< throws FileError when another file is in the way
  void place();                    ///< throws FileError, and leaves the target as it was

 private:
  std::string shown_;
  std::filesystem::path target_;
  Recogniser is_ours_;
  std::unique_ptr<ScratchFolder> scratch_;
  std::filesystem::path temporary_;
};

}  // namespace aplomb
