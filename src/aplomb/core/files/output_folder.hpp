#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/core/files/scratch_folder.hpp"

namespace aplomb {

/// A result folder that is written atomically: under a temporary name, then renamed.
///
///   OutputFolder out("results/push");   // before the work: a folder that cannot be written is refused here
///   write_something(out.path() / "metrics.json");
///   out.commit();                       // now results/push exists, complete
///
/// Files go into a private folder beside the target (ScratchFolder, so on the same file system), which `commit` renames
/// into place, with a manifest of its files (manifest.hpp). Without a commit nothing remains.
class OutputFolder {
 public:
  /// Creates missing parents. An earlier result is replaced at the commit, if everything in it is as its manifest says.
  /// Throws FileError on a result with other or changed files in it, on any other folder that is not empty, and when
  /// the target cannot be written.
  explicit OutputFolder(const std::filesystem::path& target);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return temporary_; }  ///< where to write until the commit

  /// Puts the folder in its place; afterwards `path()` no longer exists. Throws FileError, and leaves the target as it
  /// was.
  void commit();

 private:
  void make_parents();
  void remove_parents() noexcept;
  void replace_target();

  std::string shown_;                                ///< the target as the user wrote it, for messages
  std::filesystem::path target_;                     ///< absolute, without links
  std::vector<std::filesystem::path> made_parents_;  ///< outermost first; removed again without a commit
  std::unique_ptr<ScratchFolder> scratch_;
  std::filesystem::path temporary_;
};

}  // namespace aplomb
