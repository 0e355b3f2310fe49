#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "aplomb/core/schema.hpp"
#include "aplomb/core/text_file.hpp"

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
                       schema.type != Type::choice_or_numbers;
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

/// Compares a tree with a schema and collects what does not fit.
class Checker {
 public:
  void check(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  std::vector<SchemaProblem> take_sorted();

 private:
  void check_map(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_keys_together(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_number(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_numbers(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_word(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_text(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  void check_value(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  bool has_kind(const YamlNode& node, YamlNode::Kind kind, const Schema& schema, const std::string& path,
                const Place& place);
  void wrong_type(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place);
  bool is_full(Kind kind) const { return counts_[static_cast<std::size_t>(kind)] >= kMaxOfAKind; }
  void add(Kind kind, const Place& place, std::string what);

  static constexpr int kMaxOfAKind = 20;
  std::vector<SchemaProblem> problems_;
  std::array<int, 4> counts_{};
};

std::string join_path(const std::string& path, const std::string& key) { return path.empty() ? key : path + '.' + key; }

/// How errors call a value: its path, or the file as a whole.
std::string subject(const std::string& path) { return path.empty() ? "the file" : shortened(path, 120); }

void Checker::add(Kind kind, const Place& place, std::string what) {
  if (is_full(kind)) return;
  ++counts_[static_cast<std::size_t>(kind)];
  problems_.push_back({kind, place, std::move(what)});
}

void Checker::wrong_type(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  const bool is_scalar_expected = schema.type == Type::number || schema.type == Type::integer;
  const std::string expected =
      is_scalar_expected && is_nonfinite_number(node) ? "a finite " + schema.type_text() : article(schema);
  add(Kind::wrong_type, place,
      fmt::format("{} must be {}, not {}", subject(path), with_unit(expected, schema), found_text(node)));
}

bool Checker::has_kind(const YamlNode& node, YamlNode::Kind kind, const Schema& schema, const std::string& path,
                       const Place& place) {
  if (node.kind == kind) return true;
  wrong_type(node, schema, path, place);
  return false;
}

void Checker::check(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  switch (schema.type) {
    case Type::map:
      return check_map(node, schema, path, place);
    case Type::named:
      if (!has_kind(node, YamlNode::Kind::map, schema, path, place)) return;
      for (const YamlEntry& entry : node.entries) {
        check(entry.value, schema.children[0], join_path(path, entry.key), entry.value.origin.place());
      }
      return;
    case Type::list:
      if (!has_kind(node, YamlNode::Kind::list, schema, path, place)) return;
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        check(node.items[i], schema.children[0], join_path(path, std::to_string(i)), node.items[i].origin.place());
      }
      return;
    case Type::number:
    case Type::integer:
      return check_number(node, schema, path, place);
    case Type::numbers:
      return check_numbers(node, schema, path, place);
    case Type::choice:
      return check_word(node, schema, path, place);
    case Type::choice_or_numbers:
      if (node.kind == YamlNode::Kind::list) return check_numbers(node, schema, path, place);
      return check_word(node, schema, path, place);
    case Type::text:
      return check_text(node, schema, path, place);
    case Type::boolean:
      if (!node.boolean()) wrong_type(node, schema, path, place);
      return;
    case Type::value:
      return check_value(node, schema, path, place);
  }
}

void Checker::check_map(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  if (!has_kind(node, YamlNode::Kind::map, schema, path, place)) return;
  for (const YamlEntry& entry : node.entries) {
    const Place key_place = entry.origin.place();
    if (const Schema* child = schema.child(entry.key)) {
      // Where nothing is written, the parser's place is that of whatever comes next: point at the key instead.
      const bool is_null = entry.value.kind == YamlNode::Kind::null;
      check(entry.value, *child, join_path(path, entry.key), is_null ? key_place : entry.value.origin.place());
    } else if (!is_full(Kind::unknown_key)) {
      const std::vector<std::string> known = schema.child_keys();
      add(Kind::unknown_key, key_place,
          fmt::format("unknown key '{}'{}{}; {}", shortened(entry.key), path.empty() ? "" : " in ", path,
                      suggestion(entry.key, known, /*limit=*/30)));
    }
  }
  check_keys_together(node, schema, path, place);
}

void Checker::check_keys_together(const YamlNode& node, const Schema& schema, const std::string& path,
                                  const Place& place) {
  const std::string inside = path.empty() ? "" : " in " + path;
  for (const Schema& child : schema.children) {
    const bool is_there = node.find(child.key) != nullptr;
    if (child.is_required && !is_there) {
      add(Kind::missing_key, place,
          fmt::format("the key '{}' is missing{}: {}, {}", child.key, inside, with_unit(article(child), child),
                      child.about));
    }
    if (is_there && !child.needed_key.empty() && node.find(child.needed_key) == nullptr) {
      add(Kind::missing_key, place,
          fmt::format("the key '{}' is missing{}: '{}' has no meaning without it", child.needed_key, inside,
                      child.key));
    }
  }
  if (schema.one_of.empty()) return;
  std::vector<std::string> found;
  std::ranges::copy_if(schema.one_of, std::back_inserter(found),
                       [&](const std::string& key) { return node.find(key) != nullptr; });
  if (found.size() == 1) return;
  const std::string choices = schema.one_of.size() == 1
                                  ? fmt::format("the key '{}'", schema.one_of[0])
                                  : fmt::format("exactly one of {}", fmt::join(schema.one_of, ", "));
  add(Kind::missing_key, place,
      fmt::format("{} must have {}, not {}", subject(path), choices,
                  found.empty() ? "none" : fmt::format("{} at once", fmt::join(found, " and "))));
}

void Checker::check_number(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  const bool is_integer = schema.type == Type::integer;
  const std::optional<double> number = node.number();
  if (!number || (is_integer && !node.integer())) return wrong_type(node, schema, path, place);
  const bool is_low = schema.min && (schema.excludes_min ? *number <= *schema.min : *number < *schema.min);
  const bool is_high = schema.max && *number > *schema.max;
  if (is_low || is_high) {
    add(Kind::out_of_range, place,
        fmt::format("{} must be {}, not {}", subject(path), with_unit(schema.range_text(), schema),
                    shortened(node.text)));
  }
}

void Checker::check_numbers(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  const bool fits = node.kind == YamlNode::Kind::list && (schema.length == 0 || node.items.size() == schema.length);
  if (!fits) return wrong_type(node, schema, path, place);
  Schema each = schema;
  each.type = Type::number;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    check_number(node.items[i], each, join_path(path, std::to_string(i)), node.items[i].origin.place());
  }
}

void Checker::check_word(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  if (node.kind != YamlNode::Kind::scalar) return wrong_type(node, schema, path, place);
  if (std::ranges::find(schema.words, node.text) != schema.words.end()) return;
  const std::string nearest = nearest_name(node.text, schema.words);
  add(Kind::wrong_type, place,
      fmt::format("{} must be {}, not {}{}", subject(path), article(schema), found_text(node),
                  nearest.empty() ? "" : fmt::format("; closest is '{}'", nearest)));
}

void Checker::check_text(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  if (node.kind != YamlNode::Kind::scalar) return wrong_type(node, schema, path, place);
  if (schema.is_required && node.text.empty()) {
    add(Kind::out_of_range, place, fmt::format("{} must not be an empty text", subject(path)));
  }
}

void Checker::check_value(const YamlNode& node, const Schema& schema, const std::string& path, const Place& place) {
  if (node.kind == YamlNode::Kind::list) return check_numbers(node, schema, path, place);
  if (node.kind == YamlNode::Kind::map || is_nonfinite_number(node)) wrong_type(node, schema, path, place);
}

std::vector<SchemaProblem> Checker::take_sorted() {
  std::ranges::stable_sort(problems_, {}, &SchemaProblem::kind);
  return std::move(problems_);
}

}  // namespace

std::vector<SchemaProblem> find_problems(const YamlNode& root, const Schema& schema) {
  Checker checker;
  checker.check(root, schema, "", root.origin.place());
  return checker.take_sorted();
}

void require_valid(const YamlNode& root, const Schema& schema) {
  const std::vector<SchemaProblem> problems = find_problems(root, schema);
  if (!problems.empty()) throw FileError(problems.front().place, problems.front().what);
}

}  // namespace aplomb
