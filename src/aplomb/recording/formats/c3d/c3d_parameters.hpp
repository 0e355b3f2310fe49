#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/recording/formats/c3d/c3d_numbers.hpp"

namespace aplomb {

/// One parameter of a C3D file: an array of texts or numbers, column by column (the first index runs fastest).
struct C3dParameter {
  enum class Type : signed char { text = -1, byte = 1, integer = 2, real = 4 };

  std::string name;
  std::string description;
  Type type = Type::integer;
  std::vector<std::size_t> sizes;  ///< none: a scalar
  std::string bytes;               ///< in Intel's order, whatever the file's was

  std::size_t num_numbers() const;                             ///< 0 for texts
  double number(std::size_t index) const;                      ///< integers with their sign
  std::optional<double> find_number(std::size_t index) const;  ///< none when there are fewer
  std::optional<std::size_t> find_count(
      std::size_t index) const;  ///< a number that cannot be negative: 16 bits unsigned
  std::size_t num_texts() const;
  std::string text(std::size_t index) const;  ///< cleaned: without padding, valid UTF-8

  static C3dParameter of_texts(std::string name, const std::vector<std::string>& texts);
  static C3dParameter of_reals(std::string name, const std::vector<double>& values, std::vector<std::size_t> sizes);
  static C3dParameter of_words(std::string name, const std::vector<std::uint16_t>& values);
  static C3dParameter scalar(std::string name, double value);              ///< a real
  static C3dParameter scalar_word(std::string name, std::uint16_t value);  ///< a 16-bit integer
};

struct C3dGroup {
  std::string name;
  std::string description;
  std::vector<C3dParameter> parameters;

  const C3dParameter* find(std::string_view parameter) const;  ///< whatever the case; null when there is none
  void set(C3dParameter parameter);                            ///< replaces the one of that name
};

/// The parameter section of a C3D file.
struct C3dParameters {
  std::vector<C3dGroup> groups;

  const C3dParameter* find(std::string_view group, std::string_view parameter) const;
  C3dGroup& group(std::string_view name);  ///< made when it is not there
  std::optional<double> number(std::string_view group, std::string_view parameter, std::size_t index = 0) const;
  std::optional<std::size_t> count(std::string_view group, std::string_view parameter, std::size_t index = 0) const;
  std::string text(std::string_view group, std::string_view parameter) const;  ///< the first one; empty without it
  /// `name` and its continuations `name`2, `name`3 ... one after the other; at most `limit` of them.
  std::vector<std::string> texts(std::string_view group, std::string_view name, std::size_t limit) const;
  std::vector<double> numbers(std::string_view group, std::string_view name, std::size_t limit, bool is_unsigned) const;

  /// `section` begins at the section's first byte. A record that contradicts itself is left out, with a line in
  /// `notes`.
  static C3dParameters parse(std::string_view section, Processor processor, std::vector<std::string>& notes);
  /// The section as Intel writes it, padded to whole blocks of 512 bytes. Throws InvalidValue over 255 of them.
  std::string serialise() const;
};

}  // namespace aplomb
