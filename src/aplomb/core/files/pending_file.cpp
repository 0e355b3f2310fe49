#include "aplomb/core/files/pending_file.hpp"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

int error_of_rename(const fs::path& from, const fs::path& to, unsigned flags) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0 ? 0 : errno;
}

}  // namespace

PendingFile::PendingFile(const fs::path& target, Recogniser is_ours)
    : shown_(target.string()), is_ours_(std::move(is_ours)) {
  std::error_code error;
  if (target.empty()) throw InvalidValue("the output file has an empty name");
  target_ = fs::absolute(target, error);
  if (error) throw FileError({shown_}, "cannot be written: " + error.message());
  const fs::file_status status = fs::status(target_, error);
  if (fs::is_directory(status) || !target_.has_filename()) throw FileError({shown_}, "is a folder; a file is needed");
  if (fs::is_character_file(status) || fs::is_fifo(status)) {
    temporary_ = target_;
    return;
  }
  scratch_ = std::make_unique<ScratchFolder>(target_, shown_);
  temporary_ = scratch_->path() / target_.filename();
}

void PendingFile::fill(const std::function<void(const fs::path&)>& write) {
  try {
    write(temporary_);
  } catch (const FileError& error) {
    std::string what = error.what();
    if (what.starts_with(temporary_.string())) what.replace(0, temporary_.string().size(), shown_);
    throw Error(what);
  }
}

void PendingFile::require_placeable() const {
  if (!scratch_ || !is_there(target_)) return;
  std::error_code error;
  const bool is_regular = fs::is_regular_file(target_, error);
  const std::string contents = is_regular ? read_own_file(target_) : std::string();
  if (is_regular && ((is_ours_ && is_ours_(contents)) || contents == read_own_file(temporary_))) return;
  throw FileError({shown_},
                  "is there already, with other contents, and will not be overwritten; remove it or give another name");
}

void PendingFile::place() {
  if (!scratch_) return;
  require_placeable();
  // Where nothing is in the way now, a file that appears at this moment is not replaced either.
  const bool replaces = is_there(target_);
  int error = error_of_rename(temporary_, target_, replaces ? 0 : RENAME_NOREPLACE);
  if (error == EINVAL || error == ENOSYS) error = error_of_rename(temporary_, target_, 0);  // not on every file system
  if (error != 0) throw FileError({shown_}, "cannot be written: " + std::generic_category().message(error));
  scratch_.reset();
  sync_folder(target_.parent_path(), shown_);
}

}  // namespace aplomb
