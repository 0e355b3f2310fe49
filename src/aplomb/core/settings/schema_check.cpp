#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/schema.hpp"

namespace aplomb {
namespace {

using Kind = SchemaProblem::Kind;
using Type = Schema::Type;

std::string found_text(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return fmt::format("{}'{}'", node.is_quoted ? "the text " : "", shortened(node.text));
    case YamlNode::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    case YamlNode::Kind::map:
      return "a map";
  }
  return {};
}

std::string with_unit(const std::string& text, const Schema& schema) {
  return schema.unit.empty() ? text : fmt::format("{} [{}]", text, schema.unit);
}

/// "a number", "one of ...", "true or false"
std::string article(const Schema& schema) {
  const std::string text = schema.type_text();
  const bool is_noun = schema.type != Type::choice && schema.type != Type::boolean && schema.type != Type::text &&
                       schema.type != Type::choice_or_numbers && schema.type != Type::choice_or_map;
  return (is_noun ? "a " : "") + text;
}

/// "nan", "inf", "-.inf", "1e999": a number to its writer, but not a finite one.
bool is_nonfinite_number(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::scalar || node.is_quoted) return false;
  std::string text = node.text;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  text.erase(0, text.find_first_not_of("+-."));
  if (text == "nan" || text == "inf" || text == "infinity") return true;
  return !text.empty() && text.find_first_not_of("0123456789.e+-") == std::string::npos && text.find('e') < text.size();
}

std::string join_path(const std::string& path, const std::string& key) { return path.empty() ? key : path + '.' + key; }

/// Origin of a value for errors. For an empty value the parser reports the position of what follows: use the key's.
const YamlOrigin& value_origin(const YamlEntry& entry) {
  const bool is_empty_in_file = entry.value.kind == YamlNode::Kind::null && entry.value.origin.line > 0;
  return is_empty_in_file ? entry.origin : entry.value.origin;
}

/// A value, its schema, its path, and the origin that errors name.
struct Spot {
  const YamlNode& node;
  const Schema& schema;
  std::string path;
  const YamlOrigin& origin;

  std::string name() const { return path.empty() ? "the file" : shortened(path, 120); }
  std::string inside() const { return path.empty() ? "" : " in " + shortened(path, 120); }
};

/// Compares a tree with a schema and collects the violations.
class Checker {
 public:
  void check(const Spot& spot);
  std::vector<SchemaProblem> take_sorted();

 private:
  void check_map(const Spot& spot);
  void check_required(const Spot& spot);
  void check_one_of(const Spot& spot);
  void check_named(const Spot& spot);
  void check_list(const Spot& spot);
  void check_number(const Spot& spot);
  void check_numbers(const Spot& spot);
  void check_word(const Spot& spot);
  void check_text(const Spot& spot);
  void check_value(const Spot& spot);
  void unknown_key(const Spot& map, const YamlEntry& entry);
  void wrong_type(const Spot& spot);
  void add(Kind kind, const YamlOrigin& origin, std::string what);
  bool is_full(Kind kind) const { return counts_[static_cast<std::size_t>(kind)] >= kMaxOfAKind; }

  static constexpr int kMaxOfAKind = 20;
  std::vector<SchemaProblem> problems_;
  std::array<int, 4> counts_{};
};

void Checker::add(Kind kind, const YamlOrigin& origin, std::string what) {
  if (is_full(kind)) return;
  ++counts_[static_cast<std::size_t>(kind)];
  problems_.push_back({kind, origin.place(), std::move(what)});
}

void Checker::unknown_key(const Spot& map, const YamlEntry& entry) {
  if (is_full(Kind::unknown_key)) return;  // the search for the nearest key costs time
  add(Kind::unknown_key, entry.origin,
      fmt::format("unknown key '{}'{}; {}", shortened(entry.key), map.inside(),
                  suggestion(entry.key, map.schema.child_keys(), /*limit=*/30)));
}

void Checker::wrong_type(const Spot& spot) {
  const bool is_number = spot.schema.type == Type::number || spot.schema.type == Type::integer;
  const std::string expected =
      is_number && is_nonfinite_number(spot.node) ? "a finite " + spot.schema.type_text() : article(spot.schema);
  add(Kind::wrong_type, spot.origin,
      fmt::format("{} must be {}, not {}", spot.name(), with_unit(expected, spot.schema), found_text(spot.node)));
}

void Checker::check(const Spot& spot) {
  switch (spot.schema.type) {
    case Type::map:
      return check_map(spot);
    case Type::named:
      return check_named(spot);
    case Type::list:
      return check_list(spot);
    case Type::number:
    case Type::integer:
      return check_number(spot);
    case Type::numbers:
      return check_numbers(spot);
    case Type::choice:
      return check_word(spot);
    case Type::choice_or_numbers:
      return spot.node.kind == YamlNode::Kind::list ? check_numbers(spot) : check_word(spot);
    case Type::choice_or_map:
      return spot.node.kind == YamlNode::Kind::map ? check_map(spot) : check_word(spot);
    case Type::text:
      return check_text(spot);
    case Type::boolean:
      if (!spot.node.boolean()) wrong_type(spot);
      return;
    case Type::value:
      return check_value(spot);
  }
}

void Checker::check_map(const Spot& spot) {
  if (spot.node.kind != YamlNode::Kind::map) return wrong_type(spot);
  for (const YamlEntry& entry : spot.node.entries) {
    const Schema* child = spot.schema.child(entry.key);
    if (child == nullptr) {
      unknown_key(spot, entry);
      continue;
    }
    check({entry.value, *child, join_path(spot.path, entry.key), value_origin(entry)});
  }
  check_required(spot);
  check_one_of(spot);
}

void Checker::check_required(const Spot& spot) {
  for (const Schema& child : spot.schema.children) {
    const auto entry = std::ranges::find(spot.node.entries, child.key, &YamlEntry::key);
    const bool is_there = entry != spot.node.entries.end();
    if (child.is_required && !is_there) {
      add(Kind::missing_key, spot.origin,
          fmt::format("the key '{}' is missing{}: {}, {}", child.key, spot.inside(), with_unit(article(child), child),
                      child.about));
    }
    if (is_there && !child.needed_key.empty() && spot.node.find(child.needed_key) == nullptr) {
      add(Kind::missing_key, entry->origin,
          fmt::format("the key '{}' is missing{}: '{}' has no meaning without it", child.needed_key, spot.inside(),
                      child.key));
    }
  }
}

void Checker::check_one_of(const Spot& spot) {
  const std::vector<std::string>& keys = spot.schema.one_of;
  if (keys.empty()) return;
  std::vector<std::string> found;
  const YamlOrigin* last = &spot.origin;  // last of the keys found, which an option may have added
  for (const YamlEntry& entry : spot.node.entries) {
    if (std::ranges::find(keys, entry.key) == keys.end()) continue;
    found.push_back(entry.key);
    last = &entry.origin;
  }
  if (found.size() == 1) return;
  add(Kind::missing_key, *last,
      fmt::format("{} must have {}{}, not {}", spot.name(), keys.size() == 1 ? "the key " : "exactly one of ",
                  fmt::join(keys, ", "),
                  found.empty() ? "none" : fmt::format("{} at once", fmt::join(found, " and "))));
}

void Checker::check_named(const Spot& spot) {
  if (spot.node.kind != YamlNode::Kind::map) return wrong_type(spot);
  const std::vector<std::string> names = spot.schema.child_keys();
  for (const YamlEntry& entry : spot.node.entries) {
    if (!names.empty() && std::ranges::find(names, entry.key) == names.end()) {
      unknown_key(spot, entry);
      continue;
    }
    check({entry.value, spot.schema.value_of(entry.key), join_path(spot.path, entry.key), value_origin(entry)});
  }
}

void Checker::check_list(const Spot& spot) {
  if (spot.node.kind != YamlNode::Kind::list) return wrong_type(spot);
  for (std::size_t i = 0; i < spot.node.items.size(); ++i) {
    const YamlNode& item = spot.node.items[i];
    check({item, spot.schema.children[0], join_path(spot.path, std::to_string(i)), item.origin});
  }
}

void Checker::check_number(const Spot& spot) {
  const Schema& schema = spot.schema;
  const std::optional<double> number = spot.node.number();
  if (!number || (schema.type == Type::integer && !spot.node.integer())) return wrong_type(spot);
  const bool is_low = schema.min && (schema.excludes_min ? *number <= *schema.min : *number < *schema.min);
  const bool is_high = schema.max && *number > *schema.max;
  if (!is_low && !is_high) return;
  add(Kind::out_of_range, spot.origin,
      fmt::format("{} must be {}, not {}", spot.name(), with_unit(schema.range_text(), schema),
                  shortened(spot.node.text)));
}

void Checker::check_numbers(const Spot& spot) {
  const std::vector<YamlNode>& items = spot.node.items;
  const bool has_length = spot.schema.length == 0 || items.size() == spot.schema.length;
  if (spot.node.kind != YamlNode::Kind::list || !has_length) return wrong_type(spot);
  Schema each = spot.schema;
  each.type = Type::number;
  for (std::size_t i = 0; i < items.size(); ++i) {
    check_number({items[i], each, join_path(spot.path, std::to_string(i)), items[i].origin});
  }
}

void Checker::check_word(const Spot& spot) {
  const std::vector<std::string>& words = spot.schema.words;
  if (spot.node.kind != YamlNode::Kind::scalar) return wrong_type(spot);
  if (std::ranges::find(words, spot.node.text) != words.end()) return;
  const std::string nearest = nearest_name(spot.node.text, words);
  add(Kind::wrong_type, spot.origin,
      fmt::format("{} must be {}, not {}{}", spot.name(), article(spot.schema), found_text(spot.node),
                  nearest.empty() ? "" : fmt::format("; closest is '{}'", nearest)));
}

void Checker::check_text(const Spot& spot) {
  if (spot.node.kind != YamlNode::Kind::scalar) return wrong_type(spot);
  if (spot.schema.is_required && spot.node.text.empty()) {
    add(Kind::out_of_range, spot.origin, fmt::format("{} must not be an empty text", spot.name()));
  }
}

void Checker::check_value(const Spot& spot) {
  if (spot.node.kind == YamlNode::Kind::list) return check_numbers(spot);
  if (spot.node.kind == YamlNode::Kind::map || is_nonfinite_number(spot.node)) wrong_type(spot);
}

std::vector<SchemaProblem> Checker::take_sorted() {
  std::ranges::stable_sort(problems_, {}, &SchemaProblem::kind);
  return std::move(problems_);
}

}  // namespace

std::vector<SchemaProblem> find_problems(const YamlNode& root, const Schema& schema) {
  Checker checker;
  checker.check({root, schema, "", root.origin});
  return checker.take_sorted();
}

void require_valid(const YamlNode& root, const Schema& schema) {
  const std::vector<SchemaProblem> problems = find_problems(root, schema);
  if (!problems.empty()) throw FileError(problems.front().place, problems.front().what);
}

}  // namespace aplomb
