#pragma once

#include <filesystem>
#include <string>

namespace aplomb {

/// A private folder (mode 0700) beside a target, for what is not finished: `.NAME.tmp-XXXXXX`, made by mkdtemp, so that
/// no other user can guess its name, look into it or plant a link in it. The destructor removes it with its contents.
/// It is locked while its owner lives; one that a killed process left is removed by the next one for the same target.
class ScratchFolder {
 public:
  /// `target` is the absolute path of the later result, whose parent exists; `shown` names it in errors. Throws
  /// FileError.
  ScratchFolder(const std::filesystem::path& target, const std::string& shown);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

  /// Leaves the folder and its contents where they are.
  void keep() { is_kept_ = true; }

 private:
  std::filesystem::path folder_;
  int lock_ = -1;  ///< an open, locked descriptor of the folder
  bool is_kept_ = false;
};

}  // namespace aplomb
