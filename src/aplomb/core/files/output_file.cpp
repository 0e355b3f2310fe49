#include "aplomb/core/files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& file) : file_(file) {
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("open", errno);
  // A device or a pipe must never be unlinked.
  struct stat status {};
  is_regular_ = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  buffer_.reserve(kBufferSize);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (is_regular_) ::unlink(file_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) flush();
  buffer_ += bytes;
}

void OutputFile::close() {
  flush();
  // Some file systems (quotas, networks) report a failed write only here.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed == 0 || errno == EINTR) return;
  const int error = errno;
  if (is_regular_) ::unlink(file_.c_str());
  fail("write", error);
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

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  OutputFile output(file);
  output.write(bytes);
  output.close();
}

}  // namespace aplomb
