#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {

/// One key of a YAML file: type, unit, range, default and description of its value. A tree of these is the grammar of a
/// file: it validates the file, supplies defaults to `YamlView`, and the documentation is generated from it. Created
/// with the functions of namespace `schema`, completed with the members that return a copy:
///   schema::number("duration_s", "simulated time").in("s").above(0).at_most(3600).required()
struct Schema {
  enum class Type {
    text,
    number,
    integer,
    boolean,
    choice,             ///< one of `words`
    numbers,            ///< a list of `length` numbers
    choice_or_numbers,  ///< one of `words`, or a list of `length` numbers
    value,              ///< a number, text, true, false, null or a list of numbers
    map,                ///< `children` are its keys
    choice_or_map,      ///< one of `words`, or a map with `children` as keys
    named,              ///< a map whose keys are free names; `children[0]` is each value, the others are fixed keys
    list,               ///< `children[0]` is each item
  };
  std::string key;
  Type type = Type::text;
  std::string about;  ///< one line for the documentation
  std::string unit;   ///< empty: none
  bool is_required = false;
  std::optional<double> min, max;  ///< bounds of a number, or of each number of a list
  bool excludes_min = false;
  std::vector<std::string> words;  ///< of a choice; for a map of names: the valid names, unless empty
  std::size_t length = 0;          ///< of a list of numbers; 0: any
  std::vector<Schema> children;
  bool has_path_keys = false;                     ///< the names of a map are key paths, "world.floor.friction"
  std::vector<std::string> one_of;                ///< exactly one of these keys of a map is required
  std::string needed_key;                         ///< this key is valid only together with that one; empty: always
  std::shared_ptr<const YamlNode> default_value;  ///< value of an absent key
  std::string default_note;                       ///< behaviour for an absent key that no value expresses

  Schema in(std::string_view its_unit) const;
  Schema required() const;
  Schema above(double bound) const;
  Schema at_least(double bound) const;
  Schema at_most(double bound) const;
  Schema defaults_to(std::string_view yaml) const;      ///< the default as YAML text
  Schema when_absent(std::string_view sentence) const;  ///< a default that cannot be written as a value
  Schema exactly_one_of(std::vector<std::string> keys) const;
  Schema only_with(std::string_view other_key) const;
  Schema with_path_keys() const;
  Schema with_names(std::vector<std::string> names) const;  ///< of a map of names
  Schema with_keys(std::vector<Schema> keys) const;         ///< fixed keys of a map of names, beside the names

  const Schema* child(std::string_view name) const;     ///< of a map; nullptr when it has no such key
  const Schema& value_of(std::string_view name) const;  ///< of a map of names: the schema of this name's value
  std::vector<std::string> child_keys() const;          ///< keys of a map; of a map of names: its valid names
  std::string type_text() const;                        ///< "number", "list of 3 numbers", "one of a, b"
  std::string range_text() const;  ///< "above 0, at most 3600"; empty when every finite number will do
};

namespace schema {
Schema text(std::string_view key, std::string_view about);
Schema number(std::string_view key, std::string_view about);
Schema integer(std::string_view key, std::string_view about);
Schema boolean(std::string_view key, std::string_view about);
Schema choice(std::string_view key, std::vector<std::string> words, std::string_view about);
Schema numbers(std::string_view key, std::size_t length, std::string_view about);
Schema choice_or_numbers(std::string_view key, std::vector<std::string> words, std::size_t length,
                         std::string_view about);
Schema value(std::string_view key, std::string_view about);
Schema map(std::string_view key, std::string_view about, std::vector<Schema> keys);
Schema choice_or_map(std::string_view key, std::vector<std::string> words, std::string_view about,
                     std::vector<Schema> keys);
Schema named(std::string_view key, std::string_view about, Schema each);
Schema list(std::string_view key, std::string_view about, Schema item);
}  // namespace schema

/// A violation of the schema. The order of the kinds is the order in which they are reported: an unknown key is often
/// the cause of a missing one.
struct SchemaProblem {
  enum class Kind { unknown_key, missing_key, wrong_type, out_of_range };
  Kind kind = Kind::unknown_key;
  Place place;
  std::string what;  ///< names the key by its path, "events.0.push.force_n", and says what is valid
};

/// All violations (at most 20 of each kind), sorted by kind, then as in the file.
std::vector<SchemaProblem> find_problems(const YamlNode& root, const Schema& schema);

/// Throws the first problem as a FileError.
void require_valid(const YamlNode& root, const Schema& schema);

/// Calls `visit` for every key of a schema with its path, parents first: "events[].push.force_n", "postures.NAME.NAME".
void for_each_key(const Schema& schema, const std::function<void(const std::string& path, const Schema&)>& visit);

}  // namespace aplomb
