#include "aplomb/core/files/partial_results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkFile = "work.txt";
constexpr std::string_view kItemEnding = ".json";
constexpr std::string_view kUnfinishedEnding = ".tmp";
constexpr std::size_t kMaxItemBytes = 10'000'000;

std::string reason(int error) { return std::generic_category().message(error); }

/// Writes a file atomically: under a temporary name, then renamed.
void write_at_once(const fs::path& file, std::string_view text) {
  fs::path unfinished = file;
  unfinished += kUnfinishedEnding;
  write_file(unfinished, text);
  if (::rename(unfinished.c_str(), file.c_str()) != 0) {
    throw FileError({file.string()}, "cannot be put in place: " + reason(errno));
  }
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

}  // namespace

PartialResults::PartialResults(const fs::path& out, const Work& work)
    : shown_(partial_of(out).string()), folder_(fs::absolute(partial_of(out))) {
  open_or_make();
  try {
    check_work(work);
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
  if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) {
    throw FileError({shown_}, "cannot be made: " + reason(errno));
  }
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw FileError({shown_}, "finished runs cannot be kept in it: " + reason(errno));
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(lock_);
  lock_ = -1;
  if (error != EWOULDBLOCK) return;  // a file system without locks
  throw FileError({shown_}, "another aplomb is keeping its finished runs there; wait for it, or give another --out");
}

void PartialResults::check_work(const Work& work) {
  const fs::path file = folder_ / kWorkFile;
  std::size_t num_others = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kUnfinishedEnding)) continue;  // left by a process that was killed while writing
    if (name.ends_with(kItemEnding)) ++num_items_;
    if (name != kWorkFile) ++num_others;
  }
  if (!fs::exists(file)) {
    if (num_others > 0) throw FileError({shown_}, "is in the way and not ours; remove it or give another --out");
    return write_at_once(file, text_of(work));
  }
  const std::vector<std::string> names = differing_names(work, read_file(file, kMaxItemBytes));
  if (names.empty()) return;
  if (num_items_ == 0) return write_at_once(file, text_of(work));  // there are no items to lose
  throw FileError({shown_},
                  fmt::format("holds {} finished runs of other work ({} differ{}); remove the folder to start "
                              "afresh, give another --out, or finish that work with the command that began it",
                              num_items_.load(), fmt::join(names, ", "), names.size() == 1 ? "s" : ""));
}

fs::path PartialResults::file_of(std::string_view item) const {
  return folder_ / std::string(item).append(kItemEnding);
}

std::optional<std::string> PartialResults::read(std::string_view item) const {
  const fs::path file = file_of(item);
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  return read_file(file, kMaxItemBytes);
}

void PartialResults::write(std::string_view item, std::string_view text) {
  write_at_once(file_of(item), text);
  ++num_items_;
}

void PartialResults::remove() {
  std::error_code ignored;  // the result is in place: a leftover folder only costs disk space
  fs::remove_all(folder_, ignored);
  ::close(lock_);
  lock_ = -1;
}

}  // namespace aplomb
