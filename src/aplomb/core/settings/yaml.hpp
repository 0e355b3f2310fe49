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

/// Origin of a YAML value: a file with line and column, or an option of the command line.
struct YamlOrigin {
  std::shared_ptr<const std::string> source;
  int line = 0, column = 0;  ///< from 1; 0: unknown

  Place place() const { return {source ? *source : std::string(), line, column}; }
};

struct YamlEntry;

/// A YAML value as written, without a type; the schema gives it one (schema.hpp).
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

  // Value of a scalar; absent when the whole text is not one of that type. Numbers are finite.
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

/// Parses one YAML document as untrusted input. Throws FileError with line and column on more than the limits above,
/// text that is not UTF-8, no document or several, anchors, aliases, merge keys, tags, a key twice in one map, a key
/// that is not a plain word or text. `source` names the text in errors.
YamlNode parse_yaml(std::string_view text, std::string_view source);

/// The same for a value in an option: `null` is allowed, and errors give `source` without line and column.
YamlNode parse_yaml_value(std::string_view text, std::string_view source);

YamlNode read_yaml(const std::filesystem::path& file);

/// YAML text that parses to an equal tree: short maps and lists on one line, the rest indented.
std::string to_yaml(const YamlNode& node);

}  // namespace aplomb
