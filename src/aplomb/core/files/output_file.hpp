#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

/// A file that is being written. Every failure is a FileError that names the file and the system's reason;
/// a regular file that was not closed (an exception on the way) is removed, so that none is left half-written. Every
/// 256 kB it looks for an interrupt: Interrupted is thrown on Ctrl-C.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);  ///< makes or empties the file; throws FileError
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  ///< buffered; throws FileError
  void close();                        ///< writes what is buffered; throws FileError

 private:
  void flush();
  [[noreturn]] void fail(std::string_view doing, int error) const;

  std::filesystem::path file_;
  std::string buffer_;
  int descriptor_ = -1;
  bool is_regular_ = false;
};

void write_file(const std::filesystem::path& file, std::string_view bytes);  ///< the whole file; throws FileError

}  // namespace aplomb
