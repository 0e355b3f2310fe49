#include "aplomb/core/files/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/manifest.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandomPart = "XXXXXX";  // replaced by mkdtemp

std::string prefix_of(const fs::path& target) { return fmt::format(".{}.tmp-", target.filename().string()); }

bool is_scratch_name(const std::string& name, const fs::path& target) {
  const std::string prefix = prefix_of(target);
  return name.starts_with(prefix) && name.size() == prefix.size() + kRandomPart.size() &&
         std::ranges::all_of(name.substr(prefix.size()), [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Opens and locks a folder of this user for as long as the descriptor lives; -1 when it is a link or another user's,
/// when another process holds it, or on failure.
int try_lock(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

/// A process that was killed while it exchanged two results may have left a result with files of the user in it.
bool has_foreign_files(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto foreign = foreign_files(entry->path());
    if (foreign && !foreign->empty()) return true;
  }
  return false;
}

void remove_abandoned(const fs::path& target) {
  std::error_code error;
  for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
    if (!is_scratch_name(entry->path().filename().string(), target)) continue;
    const int lock = try_lock(entry->path());
    if (lock < 0) continue;
    std::error_code ignored;  // an abandoned folder that cannot be removed is harmless
    if (!has_foreign_files(entry->path())) fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& target, const std::string& shown) {
  remove_abandoned(target);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string pattern = (target.parent_path() / prefix_of(target)).string().append(kRandomPart);
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw FileError({shown}, fmt::format("cannot write in the folder {}: {}", target.parent_path().string(),
                                           std::generic_category().message(errno)));
    }
    folder_ = pattern;
    lock_ = try_lock(folder_);
    struct stat status {};
    // Between the two calls another process may have removed it as abandoned; then another name is tried.
    if (::stat(folder_.c_str(), &status) == 0) return;
    if (lock_ >= 0) ::close(lock_);
  }
  throw FileError({shown}, "cannot make a temporary folder beside it");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!is_kept_) fs::remove_all(folder_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace aplomb
