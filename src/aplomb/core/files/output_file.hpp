#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aplomb {

/// A file that is written whole or not at all: under a hidden, unpredictable name beside it (`.aplomb-…`, never through
/// a link), which `close` flushes to the disk and renames. Until then a file of that name stays as it was, and so it
/// does on a full disk. A device or a pipe is written directly. Every failure is a FileError that names the file and
/// the system's reason. Every 256 kB it checks for an interrupt: Interrupted is thrown on Ctrl-C.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);  ///< throws FileError
  ~OutputFile();                                           ///< without a close() nothing has been written
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  ///< buffered; throws FileError
  void close();                        ///< puts the file in its place; throws FileError

 private:
  bool open_stream();
  void open_temporary();
  void flush();
  void sync();
  void place();
  [[noreturn]] void fail(std::string_view doing, int error) const;

  std::filesystem::path file_;
  std::filesystem::path temporary_;  ///< empty: a device or a pipe, or already in place
  std::string buffer_;
  int descriptor_ = -1;
};

void write_file(const std::filesystem::path& file, std::string_view bytes);  ///< the whole file; throws FileError

/// Flushes the entries of a folder to the disk, e.g. after a rename, so that they survive a power cut. File systems
/// that cannot are no error; throws FileError (naming `shown`) when the disk reports one.
void sync_folder(const std::filesystem::path& folder, const std::string& shown);

}  // namespace aplomb
