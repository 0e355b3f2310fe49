#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace aplomb {

/// Random access to the bytes of a recording; a large file is never held in memory as a whole.
class InputBytes {
 public:
  /// Throws FileError when the file is missing, a folder, a device or unreadable. A pipe is read whole (up to 256 MB).
  static InputBytes open(const std::filesystem::path& file);
  /// Bytes owned by the caller, which must outlive this object; `name` identifies them in error messages.
  InputBytes(std::string_view memory, std::string name);
  ~InputBytes();
  InputBytes(InputBytes&& other) noexcept;
  InputBytes& operator=(InputBytes&&) = delete;

  std::size_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// Fills `out` with the bytes from `offset` on; throws FileError when the file has too few.
  void read(std::size_t offset, std::span<char> out) const;

 private:
  InputBytes() = default;
  void read_pipe();

  std::string name_;
  std::string owned_;        ///< content of a pipe
  std::string_view memory_;  ///< bytes, when there is no descriptor
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

}  // namespace aplomb
