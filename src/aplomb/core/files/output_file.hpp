#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

/// A file that is being written. Every failure is a FileError that names the file and the system's reason;
/// a regular file that was not closed (an exception on the way) is removed, so that no partial file remains. Every
/// 256 kB it checks for an interrupt: Interrupted is thrown on Ctrl-C.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);  ///< creates or truncates the file; throws FileError
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  ///< buffered; throws FileError
  void close();                        ///< flushes the buffer; throws FileError

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
