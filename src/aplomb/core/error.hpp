#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace aplomb {

/// Base of every error that a user can fix. The text says what is wrong, where, what is valid and what to do;
/// `main` prints it on one line and exits with 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Position in a text file; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  std::string text() const;  ///< "file:line:column", unknown parts omitted
};

/// Invalid content of a file, or a file that cannot be read or written.
class FileError : public Error {
 public:
  FileError(const Place& place, std::string_view what);
};

/// An argument out of range or inconsistent with others.
class InvalidValue : public Error {
 public:
  using Error::Error;
};

/// The program was asked to stop (Ctrl-C); `main` exits with 130.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// An unknown name: "no KIND named 'NAME' in WHERE; closest is 'X' (valid: ...)".
class UnknownName : public Error {
 public:
  UnknownName(std::string_view kind, std::string_view name, std::string_view where, std::span<const std::string> known);
};

/// The member of `known` that is closest to `name` by edit distance; empty when none is similar.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// "closest is 'X'; valid are A, B, C" for an error's text; at most `limit` names are listed.
std::string suggestion(std::string_view name, std::span<const std::string> known, std::size_t limit = 12);

}  // namespace aplomb
