#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aplomb {

/// A result folder that is written atomically: under a temporary name, then renamed.
///
///   OutputFolder out("results/push");   // before the work: a folder that cannot be written is refused here
///   write_something(out.path() / "metrics.json");
///   out.commit();                       // now results/push exists, complete
///
/// Files go into a hidden folder beside the target (`.push.tmp-…`, so on the same file system), which `commit` renames
/// into place. Without a commit the destructor removes it; a folder left by a killed process is removed by the next
/// one.
class OutputFolder {
 public:
  /// Creates missing parents. An earlier result of ours (it has our metrics.json) is replaced, with all its contents,
  /// at the commit; throws FileError on any other folder that is not empty, and when the target cannot be written.
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
  void make_temporary();
  void remove_abandoned() const;
  void replace_target();
  void clean_up() noexcept;

  std::string shown_;             ///< the target as the user wrote it, for messages
  std::filesystem::path target_;  ///< absolute, without links
  std::filesystem::path temporary_;
  std::vector<std::filesystem::path> made_parents_;  ///< outermost first; removed again without a commit
  int lock_ = -1;  ///< an open, locked descriptor of temporary_: shows that its owner is alive
  bool is_committed_ = false;
};

}  // namespace aplomb
