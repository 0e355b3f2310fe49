#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aplomb {

/// Finished items of long work, kept in `DIR.partial` beside a result folder DIR until the result is complete:
///
///   PartialResults kept("out/push", {{"scenario", sha256(text)}, {"aplomb", version()}});
///   if (const auto text = kept.read("run_000012")) ...   // finished by an earlier process
///   kept.write("run_000013", text);                      // from now on it survives a kill
///   kept.remove();                                       // the result is in place
///
/// Each item is a file that is written atomically. One process at a time works in a folder.
class PartialResults {
 public:
  /// Inputs that the items depend on, as name and value: a folder that was begun with other values is refused.
  using Work = std::vector<std::pair<std::string, std::string>>;

  /// Creates `DIR.partial`, or opens the one that an earlier process left. Throws FileError when it belongs to other
  /// work (and says which of the values differ and what to do), to a process that is still running, or cannot be
  /// written.
  PartialResults(const std::filesystem::path& out, const Work& work);
  ~PartialResults();  ///< removes the folder when nothing is in it
  PartialResults(const PartialResults&) = delete;
  PartialResults& operator=(const PartialResults&) = delete;

  std::optional<std::string> read(std::string_view item) const;  ///< absent when there is no such item
  void write(std::string_view item, std::string_view text);      ///< several threads may write items at once
  void remove();                                                 ///< removes the folder and its contents

  std::size_t num_items() const { return num_items_; }
  const std::string& shown() const { return shown_; }  ///< the folder as the user would write it

 private:
  void open_or_make();
  void check_work(const Work& work);
  std::filesystem::path file_of(std::string_view item) const;

  std::string shown_;
  std::filesystem::path folder_;
  int lock_ = -1;  ///< an open, locked descriptor of the folder
  std::atomic<std::size_t> num_items_{0};
};

}  // namespace aplomb
