#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/recording/points.hpp"

namespace aplomb {

class InputBytes;

/// Number format of a C3D file: Intel and DEC store the low byte first, SGI the high byte; DEC's reals are not IEEE
/// 754. The values are those of the file's own processor byte.
enum class Processor : unsigned char { intel = 84, dec = 85, sgi = 86 };

/// Analog channels over time, unscaled; `value` scales them.
struct Analog {
  std::vector<std::string> labels;
  std::vector<std::string> units;  ///< units of the scaled values, as spelled in the file
  std::vector<double> scale;
  std::vector<double> offset;
  double general_scale = 1.0;
  double rate_hz = 0.0;
  std::size_t samples_per_frame = 1;  ///< analog samples per frame of the markers
  std::vector<float> raw;             ///< [sample][channel]
  /// Raw 16-bit samples of an integer C3D file; `raw` is then empty.
  std::vector<std::uint16_t> words;
  bool are_words_unsigned = false;

  std::size_t num_channels() const { return labels.size(); }
  std::size_t num_samples() const { return labels.empty() ? 0 : (raw.size() + words.size()) / labels.size(); }
  /// Unscaled sample; NaN where the file has no number.
  float stored(std::size_t sample, std::size_t channel) const {
    const std::size_t at = sample * num_channels() + channel;
    if (words.empty()) return raw[at];
    return are_words_unsigned ? static_cast<float>(words[at])
                              : static_cast<float>(static_cast<std::int16_t>(words[at]));
  }
  /// (stored − offset) scale general_scale
  double value(std::size_t sample, std::size_t channel) const {
    const double counts = static_cast<double>(stored(sample, channel)) - offset[channel];
    return counts * scale[channel] * general_scale;
  }
};

/// One parameter of a C3D file: an array of texts or numbers, column by column (the first index runs fastest).
struct C3dParameter {
  enum class Type : signed char { text = -1, byte = 1, integer = 2, real = 4 };

  std::string name;
  std::string description;
  Type type = Type::integer;
  std::vector<std::size_t> sizes;  ///< dimensions; empty: a scalar
  std::string bytes;               ///< little-endian, whatever the file's byte order

  std::size_t num_numbers() const;                                 ///< 0 for texts
  double number(std::size_t index) const;                          ///< signed
  std::optional<double> find_number(std::size_t index) const;      ///< none beyond the last one
  std::optional<std::size_t> find_count(std::size_t index) const;  ///< read as unsigned 16 bits
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

  const C3dParameter* find(std::string_view parameter) const;  ///< case-insensitive; null when there is none
  void set(C3dParameter parameter);                            ///< replaces the parameter of that name, or adds it
};

/// The parameter section of a C3D file.
struct C3dParameters {
  std::vector<C3dGroup> groups;

  const C3dParameter* find(std::string_view group, std::string_view parameter) const;
  C3dGroup& group(std::string_view name);  ///< created when it is missing
  std::optional<double> number(std::string_view group, std::string_view parameter, std::size_t index = 0) const;
  std::optional<std::size_t> count(std::string_view group, std::string_view parameter, std::size_t index = 0) const;
  std::string text(std::string_view group, std::string_view parameter) const;  ///< first text; else empty
  /// Texts of `name` and its continuations `name`2, `name`3 ..., concatenated; at most `limit` texts.
  std::vector<std::string> texts(std::string_view group, std::string_view name, std::size_t limit) const;
  std::vector<double> numbers(std::string_view group, std::string_view name, std::size_t limit, bool is_unsigned) const;

  /// Parses the parameter section; `section` begins at its first byte. Inconsistent records are skipped, with a line in
  /// `notes`.
  static C3dParameters parse(std::string_view section, Processor processor, std::vector<std::string>& notes);
  /// The section in Intel byte order, padded to whole blocks of 512 bytes. Throws InvalidValue above 255 blocks.
  std::string serialise() const;
};

/// A labelled event: a foot strike, the start of a phase.
struct MotionEvent {
  std::string label;
  std::string context;  ///< "Left", "Right", "General"; may be empty
  double time_s = 0.0;
};

/// A C3D file: markers, analog channels, events and all parameters.
struct C3dFile {
  Processor processor = Processor::intel;
  bool is_real = true;  ///< numbers are stored as reals, else as 16-bit integers
  Points points;
  Analog analog;
  std::vector<MotionEvent> events;
  C3dParameters parameters;
  std::vector<std::string> notes;  ///< contradictions in the file and how they were resolved
};

/// Reads a C3D file as untrusted input: memory is bounded by the file's size. A marker at exactly (0, 0, 0) is read as
/// a gap, since lost markers are often stored that way. Throws FileError when the file is not C3D, is inconsistent or
/// ends before its last frame.
C3dFile read_c3d(const InputBytes& input);

/// Writes Intel byte order and reals; markers, analog channels, events and parameters read back unchanged. Throws
/// FileError; InvalidValue when a label is longer than the format can hold.
void write_c3d(const std::filesystem::path& file, const C3dFile& c3d);

/// The bytes that `write_c3d` writes. Throws InvalidValue as it does.
std::string c3d_bytes(const C3dFile& c3d);

}  // namespace aplomb
