#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/files/input_files.hpp"

namespace aplomb {

/// Finished items of long work, kept in `DIR.partial` beside a result folder DIR until the result is complete:
///
///   PartialResults kept("out/push", {{"scenario", sha256(text)}, {"aplomb", version()}});
///   if (const auto text = kept.read("run_000012")) ...   // finished by an earlier process, with the same inputs
///   kept.write("run_000013", text);                      // from now on it survives a kill and a power cut
///   kept.require_unchanged_inputs();                     // all items are of the same inputs
///   kept.remove();                                       // the result is in place
///
/// Each item is a file that is written atomically, with the digests of all files that the program had read by then
/// (InputFiles; what is read before the constructor is not among them). An item is used again only if these files have
/// the same contents. One process at a time works in a folder.
class PartialResults {
 public:
  /// Options that the items depend on, as name and value: a folder that was begun with other values is refused. The
  /// current folder, from which relative paths count, is added.
  using Work = std::vector<std::pair<std::string, std::string>>;

  /// Creates `DIR.partial`, or opens the one that an earlier process left, and removes the items in it whose inputs
  /// have changed. Throws FileError when it belongs to other work (and says which of the values differ and what to do),
  /// to another user, to a process that is still running, or cannot be written.
  PartialResults(const std::filesystem::path& out, const Work& work);
  ~PartialResults();  ///< removes the folder when nothing is in it
  PartialResults(const PartialResults&) = delete;
  PartialResults& operator=(const PartialResults&) = delete;

  std::optional<std::string> read(
      std::string_view item) const;                          ///< absent when there is no such item, or a damaged one
  void write(std::string_view item, std::string_view text);  ///< several threads may write items at once
  void require_unchanged_inputs() const;  ///< throws FileError when an input of an item changed meanwhile
  void remove();                          ///< removes the folder and its contents

  std::size_t num_items() const { return num_items_; }
  std::size_t num_outdated() const { return num_outdated_; }  ///< items that the constructor removed
  const std::string& shown() const { return shown_; }         ///< the folder as the user would write it

 private:
  void open_or_make();
  void check_work(const Work& work);
  void use_or_remove(const std::filesystem::path& file, std::map<std::pair<std::string, std::string>, bool>& known);
  std::filesystem::path file_of(std::string_view item) const;

  std::string shown_;
  std::filesystem::path folder_;
  int lock_ = -1;  ///< an open, locked descriptor of the folder
  std::atomic<std::size_t> num_items_{0};
  std::size_t num_outdated_ = 0;
  InputFiles inputs_;
  mutable std::mutex mutex_;
  InputFiles::Digests used_;  ///< inputs of all items, kept or written
};

}  // namespace aplomb
