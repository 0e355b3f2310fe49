#include "aplomb/core/files/partial_results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/files/text_parts.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkFile = "work.txt";
constexpr std::string_view kItemEnding = ".item";
constexpr std::string_view kUnfinishedPrefix = ".aplomb-";  // OutputFile's

std::string reason(int error) { return std::generic_category().message(error); }

PartialResults::Work with_current_folder(PartialResults::Work work) {
  std::error_code ignored;
  work.emplace_back("current folder", fs::current_path(ignored).string());
  return work;
}

/// One line "name: value" per entry.
std::string text_of(const PartialResults::Work& work) {
  std::string text;
  for (const auto& [name, value] : work) text += fmt::format("{}: {}\n", name, value);
  return text;
}

/// Names of the entries that are missing or different in `text`.
std::vector<std::string> differing_names(const PartialResults::Work& work, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [name, value] : work) {
    if (("\n" + text).find(fmt::format("\n{}: {}\n", name, value)) == std::string::npos) names.push_back(name);
  }
  return names;
}

fs::path partial_of(const fs::path& out) {
  fs::path folder = out.has_filename() ? out : out.parent_path();  // "results/"
  folder += ".partial";
  return folder;
}

/// A finished item as it is stored.
struct Item {
  InputFiles::Digests inputs;
  std::string text;

  /// The digest of the rest, the text, then path and digest of each input.
  std::string stored() const {
    std::vector<std::string> parts{text};
    for (const auto& [file, digest] : inputs) {
      parts.push_back(file);
      parts.push_back(digest);
    }
    const std::string body = join_parts(parts);
    return sha256(body) + body;
  }

  /// Absent when the file is damaged.
  static std::optional<Item> from(std::string_view stored) {
    constexpr std::size_t kDigestLength = 64;
    if (stored.size() < kDigestLength) return std::nullopt;
    const std::string_view body = stored.substr(kDigestLength);
    if (sha256(body) != stored.substr(0, kDigestLength)) return std::nullopt;
    const std::vector<std::string> parts = split_parts(body);
    Item item{.inputs = {}, .text = parts.at(0)};
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) item.inputs[parts[i]] = parts[i + 1];
    return item;
  }
};

}  // namespace

PartialResults::PartialResults(const fs::path& out, const Work& work)
    : shown_(partial_of(out).string()), folder_(fs::absolute(partial_of(out))) {
  open_or_make();
  try {
    check_work(with_current_folder(work));
  } catch (...) {
    ::rmdir(folder_.c_str());  // fails when the folder is not empty
    ::close(lock_);
    throw;
  }
}

PartialResults::~PartialResults() {
  if (lock_ < 0) return;
  if (num_items_ == 0) remove();
  if (lock_ >= 0) ::close(lock_);
}

void PartialResults::open_or_make() {
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    throw FileError({shown_}, "cannot be made: " + reason(errno));
  }
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (lock_ < 0) throw FileError({shown_}, "finished runs cannot be kept in it: " + reason(errno));
  struct stat status {};
  if (::fstat(lock_, &status) != 0 || status.st_uid != ::geteuid()) {
    ::close(lock_);
    throw FileError({shown_}, "belongs to another user; give another --out");
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  if (error != EWOULDBLOCK) return;  // a file system without locks
  ::close(lock_);
  lock_ = -1;
  throw FileError({shown_}, "another aplomb is keeping its finished runs there; wait for it, or give another --out");
}

void PartialResults::check_work(const Work& work) {
  const fs::path file = folder_ / kWorkFile;
  std::vector<fs::path> items;
  std::size_t num_others = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kUnfinishedPrefix)) continue;  // left by a process that was killed while writing
    if (name.ends_with(kItemEnding)) items.push_back(entry.path());
    if (name != kWorkFile) ++num_others;
  }
  if (!fs::exists(file)) {
    if (num_others > 0) throw FileError({shown_}, "is in the way and not ours; remove it or give another --out");
    return write_file(file, text_of(work));
  }
  const std::vector<std::string> names = differing_names(work, read_own_file(file));
  if (!names.empty() && !items.empty()) {
    throw FileError({shown_},
                    fmt::format("holds {} finished runs of other work ({} differ{}); remove the folder to start "
                                "afresh, give another --out, or finish that work with the command that began it",
                                items.size(), fmt::join(names, ", "), names.size() == 1 ? "s" : ""));
  }
  if (!names.empty()) return write_file(file, text_of(work));  // there are no items to lose
  std::map<std::pair<std::string, std::string>, bool> known;   // items share most of their inputs
  for (const fs::path& item : items) use_or_remove(item, known);
}

void PartialResults::use_or_remove(const fs::path& file, std::map<std::pair<std::string, std::string>, bool>& known) {
  const std::optional<Item> item = Item::from(read_own_file(file));
  const auto is_unchanged_input = [&](const auto& input) {
    const auto [found, is_new] = known.try_emplace(input, false);
    if (is_new) found->second = is_unchanged(input.first, input.second);
    return found->second;
  };
  if (item && std::ranges::all_of(item->inputs, is_unchanged_input)) {
    used_.insert(item->inputs.begin(), item->inputs.end());
    ++num_items_;
    return;
  }
  ++num_outdated_;
  fs::remove(file);
}

fs::path PartialResults::file_of(std::string_view item) const {
  return folder_ / std::string(item).append(kItemEnding);
}

std::optional<std::string> PartialResults::read(std::string_view item) const {
  const fs::path file = file_of(item);
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  std::optional<Item> found = Item::from(read_own_file(file));
  return found ? std::optional(std::move(found->text)) : std::nullopt;
}

void PartialResults::write(std::string_view item, std::string_view text) {
  const Item made{.inputs = inputs_.digests(), .text = std::string(text)};
  write_file(file_of(item), made.stored());
  const std::lock_guard lock(mutex_);
  used_.insert(made.inputs.begin(), made.inputs.end());
  ++num_items_;
}

void PartialResults::require_unchanged_inputs() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [file, digest] : used_) {
    if (digest == kUnrepeatableInput || is_unchanged(file, digest)) continue;
    throw FileError({file},
                    "changed while the command was running; give the command again (what does not depend on "
                    "this file is kept)");
  }
}

void PartialResults::remove() {
  std::error_code ignored;  // the result is in place: a leftover folder only costs disk space
  // The work file goes last: with items and without it, what a killed process left would be taken for someone else's.
  for (fs::directory_iterator entry(folder_, ignored), end; entry != end; entry.increment(ignored)) {
    if (entry->path().filename() != kWorkFile) fs::remove_all(entry->path(), ignored);
  }
  fs::remove_all(folder_, ignored);
  ::close(lock_);
  lock_ = -1;
}

}  // namespace aplomb
