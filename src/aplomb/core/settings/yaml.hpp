#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"

namespace aplomb {

/// Where a piece of YAML was written: a file with line and column, or an option of the command line.
struct YamlOrigin {
  std::shared_ptr<const std::string> source;
  int line = 0, column = 0;  ///< from 1; 0: unknown

  Place place() const { return {source ? *source : std::string(), line, column}; }
};

struct YamlEntry;

/// A YAML value as it was written, before anybody asks what it should be (core/schema.hpp does).
struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;                ///< of a scalar
  bool is_quoted = false;          ///< a quoted scalar is text, even if it looks like a number
  std::vector<YamlNode> items;     ///< of a list
  std::vector<YamlEntry> entries;  ///< of a map, in the file's order; keys are unique
  YamlOrigin origin;

  const YamlNode* find(std::string_view key) const;  ///< a map's value; nullptr when it has no such key
  YamlNode* find(std::string_view key);

  // What a scalar means; absent when it is not wholly that. Numbers are finite.
  std::optional<double> number() const;
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;  ///< true or false, and nothing else
};

struct YamlEntry {
  std::string key;
  YamlOrigin origin;  ///< of the key
  YamlNode value;
};

inline constexpr std::size_t kMaxYamlBytes = 1'000'000;
inline constexpr std::size_t kMaxYamlDepth = 50;
inline constexpr std::size_t kMaxYamlNodes = 100'000;

/// Parses one YAML document without trust. Refused, with a FileError that gives line and column: more than the limits
/// above, what is not UTF-8 text, an empty document or several, anchors, aliases, merge keys, tags, a key twice in one
/// map, a key that is not a plain word or text. `source` is what errors call the text.
YamlNode parse_yaml(std::string_view text, std::string_view source);

/// The same for a value in an option: `null` is allowed, and errors give `source` without line and column.
YamlNode parse_yaml_value(std::string_view text, std::string_view source);

YamlNode read_yaml(const std::filesystem::path& file);

/// YAML text that parses to an equal tree: short maps and lists on one line, the rest indented.
std::string to_yaml(const YamlNode& node);

}  // namespace aplomb
