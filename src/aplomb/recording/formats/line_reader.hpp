#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"

namespace aplomb {

/// Reads a text file line by line with LF, CRLF or CR as line ends; skips a byte order mark.
class LineReader {
 public:
  explicit LineReader(const InputBytes& input);  ///< `input` must outlive this object

  /// Reads the next line, without its line end; false after the last one. `line` is valid until the next call. Throws
  /// FileError on a zero byte, which text files do not contain.
  bool next(std::string_view& line);

  /// Throws FileError when the line that was read last has more than 200 000 columns, which no recording has.
  void require_columns(char separator) const;

  int line() const { return line_; }  ///< number of the line that was read last, from 1
  /// Throws FileError at the line that was read last; `at` points into it, or is null.
  [[noreturn]] void fail(const char* at, std::string_view what) const;
  [[noreturn]] void fail(std::string_view part, std::string_view what) const;  ///< at `part` of that line
  Place place(const char* at) const;

 private:
  bool fill();  ///< reads more bytes into the buffer; false at the end of the file

  const InputBytes& input_;
  std::string buffer_;
  std::size_t begin_ = 0;   ///< start of the unread bytes in the buffer
  std::size_t end_ = 0;     ///< end of the bytes in the buffer
  std::size_t offset_ = 0;  ///< offset of the next bytes in the file
  char line_end_ = '\n';
  int line_ = 0;
  std::string_view current_;
};

/// `text` without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

/// The parts of a line between the separators, trimmed; an empty line has one empty part.
std::vector<std::string_view> split(std::string_view line, char separator);

/// The first `limit` words of a line, separated by any number of spaces and tabs.
std::vector<std::string_view> words(std::string_view line, std::size_t limit = 1000);

/// Number of line ends in a file: an upper bound of its rows, whatever its header says.
std::size_t count_line_ends(const InputBytes& input);

/// Case-insensitive comparison of ASCII text.
bool same_word(std::string_view a, std::string_view b);

/// A label as valid UTF-8 (invalid bytes are read as Latin-1), without control characters and surrounding spaces.
std::string clean_label(std::string_view bytes);

/// The names that occur more than once, each listed once.
std::vector<std::string> repeated_names(const std::vector<std::string>& names);

}  // namespace aplomb
