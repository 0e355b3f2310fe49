#include "aplomb/core/files/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <random>
#include <string>
#include <system_error>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

/// Whether a folder has a metrics.json of ours, which begins with schema and verb; other programs use that name, too.
bool is_our_result(const fs::path& folder) {
  const fs::path file = folder / "metrics.json";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  std::string head(200, '\0');
  std::ifstream input(file, std::ios::binary);
  input.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("\"schema\"") != std::string::npos && head.find("\"verb\"") != std::string::npos;
}

/// The absolute path of `target`, with links resolved. Throws InvalidValue when it is empty, FileError when it cannot
/// be a result folder.
fs::path resolve(const fs::path& target, const std::string& shown) {
  std::error_code error;
  if (target.empty()) throw InvalidValue("the output folder has an empty name; give a folder, e.g. `--out results`");
  fs::path resolved = fs::weakly_canonical(fs::absolute(target, error), error);
  if (error) throw FileError({shown}, "cannot be used as an output folder: " + error.message());
  if (!resolved.has_filename()) resolved = resolved.parent_path();  // "results/"
  if (fs::is_symlink(fs::symlink_status(resolved, error))) {
    throw FileError({shown}, "is a symbolic link that leads nowhere; remove it or give another folder");
  }
  const fs::path here = fs::current_path(error);
  if (!resolved.has_filename() || resolved == here) {
    throw FileError({shown}, "cannot be replaced as a whole; give a folder of its own, e.g. `--out results`");
  }
  return resolved;
}

/// Throws FileError unless the target is absent, an empty folder, or an earlier result.
void check_replaceable(const fs::path& target, const std::string& shown) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::exists(status)) throw FileError({shown}, "cannot be read: " + error.message());
  if (!fs::is_directory(status)) throw FileError({shown}, "is a file, not a folder; give another name");
  const bool is_empty = fs::is_empty(target, error);
  if (error) throw FileError({shown}, "cannot be read: " + error.message());
  if (!is_empty && !is_our_result(target)) {
    throw FileError({shown},
                    "has files in it that are not an earlier result (no metrics.json of ours) and will not be "
                    "overwritten; give a new folder, or empty this one");
  }
}

/// Flushes a file or folder to disk before the rename, so that a power cut leaves the old result or the new one.
void sync(const fs::path& path, const std::string& shown) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return;  // a link, or an unreadable file
  const int failed = ::fsync(descriptor) != 0 ? errno : 0;
  ::close(descriptor);
  // Other errors are ignored: some file systems do not support fsync (EINVAL).
  if (failed == EIO || failed == ENOSPC || failed == EDQUOT) {
    throw FileError({shown}, "cannot be written: " + reason(failed));
  }
}

/// Opens and locks a folder for as long as the descriptor lives; -1 when another process holds it, or on failure.
int try_lock(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

void sync_tree(const fs::path& folder, const std::string& shown) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    sync(entry->path(), shown);
  }
  if (error) throw FileError({shown}, "cannot be written: " + error.message());
  sync(folder, shown);
}

/// A hidden name beside the target: ".push.tmp-0123abcd".
std::string hidden_name(const fs::path& target, std::string_view kind, std::uint32_t number) {
  return fmt::format(".{}.{}-{:08x}", target.filename().string(), kind, number);
}

bool is_temporary_name(const std::string& name, const fs::path& target) {
  const std::string pattern = hidden_name(target, "tmp", 0);
  const std::size_t prefix = pattern.size() - 8;
  return name.size() == pattern.size() && name.compare(0, prefix, pattern, 0, prefix) == 0 &&
         name.find_first_not_of("0123456789abcdef", prefix) == std::string::npos;
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target) : shown_(target.string()), target_(resolve(target, shown_)) {
  check_replaceable(target_, shown_);
  try {
    make_parents();
    remove_abandoned();
    make_temporary();
  } catch (...) {
    clean_up();
    throw;
  }
}

OutputFolder::~OutputFolder() {
  if (!is_committed_) clean_up();
}

void OutputFolder::make_parents() {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path parent = target_.parent_path(); !fs::exists(fs::symlink_status(parent, error));
       parent = parent.parent_path()) {
    if (error && error != std::errc::no_such_file_or_directory) break;
    missing.insert(missing.begin(), parent);
  }
  for (const fs::path& parent : missing) {
    if (::mkdir(parent.c_str(), 0777) == 0) {
      made_parents_.push_back(parent);
    } else if (errno != EEXIST) {
      throw FileError({shown_}, fmt::format("cannot make the folder {}: {}", parent.string(), reason(errno)));
    }
  }
}

void OutputFolder::make_temporary() {
  std::random_device random;  // for the name alone: no result depends on it
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path candidate = target_.parent_path() / hidden_name(target_, "tmp", random());
    if (::mkdir(candidate.c_str(), 0777) == 0) {
      temporary_ = candidate;
      lock_ = try_lock(candidate);
      struct stat status {};
      // Between the two calls another process may have removed it as abandoned; then another name is tried.
      if (::stat(candidate.c_str(), &status) == 0) return;
      if (lock_ >= 0) ::close(lock_);
      continue;
    }
    if (errno != EEXIST) {
      throw FileError({shown_},
                      fmt::format("cannot write in the folder {}: {}", target_.parent_path().string(), reason(errno)));
    }
  }
  throw FileError({shown_}, "cannot make a temporary folder beside it");
}

void OutputFolder::remove_abandoned() const {
  std::error_code error;
  for (fs::directory_iterator entry(target_.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_temporary_name(entry->path().filename().string(), target_)) continue;
    const int lock = try_lock(entry->path());
    if (lock < 0) continue;
    std::error_code ignored;  // an abandoned folder that cannot be removed is harmless
    fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

void OutputFolder::commit() {
  sync_tree(temporary_, shown_);
  check_replaceable(target_, shown_);  // again: the run may have taken hours
  // A plain rename replaces nothing, or an empty folder.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    if (errno != ENOTEMPTY && errno != EEXIST) throw FileError({shown_}, "cannot be put in place: " + reason(errno));
    replace_target();
  }
  is_committed_ = true;
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  sync(target_.parent_path(), shown_);
}

void OutputFolder::replace_target() {
  std::error_code ignored;  // errors in removing the old result: the new one is in place
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(temporary_, ignored);
    return;
  }
  // Not every file system can exchange two names: put the old result aside first.
  const fs::path aside = target_.parent_path() / hidden_name(target_, "old", std::random_device()());
  if (::rename(target_.c_str(), aside.c_str()) != 0) throw FileError({shown_}, "cannot be replaced: " + reason(errno));
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    ::rename(aside.c_str(), target_.c_str());
    throw FileError({shown_}, "cannot be put in place: " + reason(error));
  }
  fs::remove_all(aside, ignored);
}

void OutputFolder::clean_up() noexcept {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  temporary_.clear();
  for (auto parent = made_parents_.rbegin(); parent != made_parents_.rend(); ++parent) ::rmdir(parent->c_str());
  made_parents_.clear();
}

}  // namespace aplomb
