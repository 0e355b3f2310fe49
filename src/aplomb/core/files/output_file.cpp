#include "aplomb/core/files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 18;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// fsync; the errors of a disk, 0 for file systems that do not support it (EINVAL).
int sync_error(int descriptor) {
  if (::fsync(descriptor) == 0) return 0;
  return errno == EIO || errno == ENOSPC || errno == EDQUOT ? errno : 0;
}

}  // namespace

OutputFile::OutputFile(const fs::path& file) : file_(file) {
  buffer_.reserve(kBufferSize);
  if (!open_stream()) open_temporary();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

/// Opens a device or a pipe (/dev/stdout); false when the target is neither. Nothing is created or truncated.
bool OutputFile::open_stream() {
  struct stat status {};
  if (::stat(file_.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) fail("open", EISDIR);
  if (!S_ISCHR(status.st_mode) && !S_ISFIFO(status.st_mode)) return false;
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) fail("open", errno);
  // What was opened counts, not what had that name a moment ago.
  if (::fstat(descriptor_, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode))) return true;
  ::close(descriptor_);
  descriptor_ = -1;
  return false;
}

void OutputFile::open_temporary() {
  std::random_device random;  // for the name alone: no result depends on it
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path candidate = folder_of(file_) / fmt::format(".aplomb-{:08x}{:08x}", random(), random());
    descriptor_ = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      temporary_ = candidate;
      return;
    }
    if (errno != EEXIST) break;
  }
  fail("open", errno);
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) flush();
  buffer_ += bytes;
}

void OutputFile::close() {
  flush();
  sync();
  // Some file systems (quotas, networks) report a failed write only here.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) fail("write", errno);
  if (!temporary_.empty()) place();
}

void OutputFile::sync() {
  if (temporary_.empty()) return;
  if (const int error = sync_error(descriptor_); error != 0) fail("write", error);
}

void OutputFile::place() {
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail("write", errno);
  temporary_.clear();
  sync_folder(folder_of(file_), file_.string());
}

void OutputFile::flush() {
  check_interrupt();  // a log may be large: an interrupt does not wait for all of it
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) fail("write", errno);
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::fail(std::string_view doing, int error) const {
  throw FileError({file_.string()},
                  std::string("cannot ").append(doing) + " the file: " + std::generic_category().message(error));
}

void write_file(const fs::path& file, std::string_view bytes) {
  OutputFile output(file);
  output.write(bytes);
  output.close();
}

void sync_folder(const fs::path& folder, const std::string& shown) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written but not read
  const int error = sync_error(descriptor);
  ::close(descriptor);
  if (error != 0) throw FileError({shown}, "cannot be written: " + std::generic_category().message(error));
}

}  // namespace aplomb
