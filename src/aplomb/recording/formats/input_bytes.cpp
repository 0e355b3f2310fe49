#include "aplomb/recording/formats/input_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kLargestPipe = 256'000'000;

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

InputBytes InputBytes::open(const std::filesystem::path& file) {
  InputBytes input;
  input.name_ = file.string();
  const Place place{input.name_};
  note_input(file);
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    throw FileError(place, errno == ENOENT ? no_such_file(file) : fmt::format("cannot be opened: {}", reason(errno)));
  }
  if (S_ISDIR(status.st_mode)) throw FileError(place, "is a folder, not a file");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) throw FileError(place, "is a device, not a file");
  input.descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (input.descriptor_ < 0) throw FileError(place, fmt::format("cannot be opened: {}", reason(errno)));
  input.size_ = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  if (S_ISFIFO(status.st_mode)) input.read_pipe();
  return input;
}

InputBytes::InputBytes(std::string_view memory, std::string name)
    : name_(std::move(name)), memory_(memory), size_(memory.size()) {}

InputBytes::InputBytes(InputBytes&& other) noexcept
    : name_(std::move(other.name_)),
      owned_(std::move(other.owned_)),
      memory_(other.memory_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {
  if (!owned_.empty()) memory_ = owned_;  // moving a short string changes the address of its characters
}

InputBytes::~InputBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputBytes::read_pipe() {
  char chunk[65536];
  ssize_t count = 0;
  while ((count = ::read(descriptor_, chunk, sizeof(chunk))) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw FileError({name_}, fmt::format("cannot be read: {}", reason(errno)));
    owned_.append(chunk, static_cast<std::size_t>(count));
    if (owned_.size() > kLargestPipe) throw FileError({name_}, "is a pipe with over 256 MB; save it to a file first");
  }
  ::close(std::exchange(descriptor_, -1));
  memory_ = owned_;
  size_ = owned_.size();
}

void InputBytes::read(std::size_t offset, std::span<char> out) const {
  if (offset > size_ || out.size() > size_ - offset) {
    throw FileError({name_}, fmt::format("ends after {} bytes, but bytes up to {} are needed", size_,
                                         static_cast<double>(offset) + static_cast<double>(out.size())));
  }
  if (descriptor_ < 0) {
    std::copy_n(memory_.data() + offset, out.size(), out.data());
    return;
  }
  while (!out.empty()) {
    const ssize_t count = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw FileError({name_}, fmt::format("cannot be read: {}", reason(errno)));
    if (count == 0) throw FileError({name_}, "became shorter while it was read");
    offset += static_cast<std::size_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace aplomb
