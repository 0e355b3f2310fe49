#include "aplomb/core/files/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/manifest.hpp"
#include "aplomb/core/files/output_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

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

/// "notes.txt, plots/a.png and 3 more".
std::string few_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// Throws FileError unless everything in `folder`, an earlier result, is as its manifest says.
void require_only_ours(const fs::path& folder, const std::string& shown) {
  const std::optional<std::vector<std::string>> foreign = foreign_files(folder);
  if (!foreign) {
    throw FileError({shown},
                    fmt::format("has files in it that are not an earlier result (no {} of aplomb) and will not be "
                                "overwritten; give a new folder, or empty this one",
                                kManifestFile));
  }
  if (foreign->empty()) return;
  throw FileError({shown}, fmt::format("is an earlier result with files in it that aplomb did not write, or that were "
                                       "changed since ({}), and will not be overwritten; move them elsewhere, or give "
                                       "another folder",
                                       few_of(*foreign)));
}

/// Throws FileError unless the target is absent, an empty folder, or an earlier result and nothing else.
void check_replaceable(const fs::path& target, const std::string& shown) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::exists(status)) throw FileError({shown}, "cannot be read: " + error.message());
  if (!fs::is_directory(status)) throw FileError({shown}, "is a file, not a folder; give another name");
  const bool is_empty = fs::is_empty(target, error);
  if (error) throw FileError({shown}, "cannot be read: " + error.message());
  if (!is_empty) require_only_ours(target, shown);
}

/// Flushes every folder below, so that a power cut leaves the old result or the new one; the files themselves were
/// flushed when they were closed.
void sync_tree(const fs::path& folder, const std::string& shown) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_directory()) sync_folder(entry->path(), shown);
  }
  if (error) throw FileError({shown}, "cannot be written: " + error.message());
  sync_folder(folder, shown);
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target) : shown_(target.string()), target_(resolve(target, shown_)) {
  check_replaceable(target_, shown_);
  try {
    make_parents();
    scratch_ = std::make_unique<ScratchFolder>(target_, shown_);
    // The scratch folder is private; the result inside has the permissions that the user's umask gives.
    temporary_ = scratch_->path() / target_.filename();
    if (::mkdir(temporary_.c_str(), 0777) != 0) throw FileError({shown_}, "cannot be written: " + reason(errno));
  } catch (...) {
    scratch_.reset();
    remove_parents();
    throw;
  }
}

OutputFolder::~OutputFolder() {
  scratch_.reset();
  remove_parents();
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

void OutputFolder::remove_parents() noexcept {
  for (auto parent = made_parents_.rbegin(); parent != made_parents_.rend(); ++parent) ::rmdir(parent->c_str());
  made_parents_.clear();
}

void OutputFolder::commit() {
  write_manifest(temporary_);
  sync_tree(temporary_, shown_);
  check_replaceable(target_, shown_);  // again: the run may have taken hours
  // A plain rename replaces nothing, or an empty folder.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    if (errno != ENOTEMPTY && errno != EEXIST) throw FileError({shown_}, "cannot be put in place: " + reason(errno));
    replace_target();
  }
  made_parents_.clear();
  scratch_.reset();  // with the old result in it
  sync_folder(target_.parent_path(), shown_);
}

void OutputFolder::replace_target() {
  fs::path old = temporary_;
  const auto exchange = [&] {
    return ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
  };
  const bool is_exchanged = exchange();
  if (!is_exchanged) {
    // Not every file system can exchange two names: put the old result aside first.
    old = scratch_->path() / "old";
    if (::rename(target_.c_str(), old.c_str()) != 0) throw FileError({shown_}, "cannot be replaced: " + reason(errno));
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
      const int error = errno;
      if (::rename(old.c_str(), target_.c_str()) != 0) scratch_->keep();
      throw FileError({shown_}, "cannot be put in place: " + reason(error));
    }
  }
  try {
    require_only_ours(old, shown_);  // nobody can add to it any more by its name
  } catch (const FileError&) {
    const bool is_back = is_exchanged ? exchange()
                                      : ::rename(target_.c_str(), temporary_.c_str()) == 0 &&
                                            ::rename(old.c_str(), target_.c_str()) == 0;
    if (!is_back) scratch_->keep();
    throw;
  }
}

}  // namespace aplomb
