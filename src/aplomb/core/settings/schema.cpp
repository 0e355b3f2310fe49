#include "aplomb/core/settings/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aplomb {
namespace {

Schema make(Schema::Type type, std::string_view key, std::string_view about) {
  Schema schema;
  schema.type = type;
  schema.key = key;
  schema.about = about;
  return schema;
}

/// A copy of `schema` with `change` applied.
template <typename Change>
Schema changed(Schema schema, Change change) {
  change(schema);
  return schema;
}

void visit_keys(const Schema& schema, const std::string& path,
                const std::function<void(const std::string&, const Schema&)>& visit) {
  for (const Schema& child : schema.children) {
    std::string child_path = path;
    if (schema.type == Schema::Type::list) {
      child_path += "[]";
    } else {
      const bool is_any_name = schema.type == Schema::Type::named && &child == &schema.children.front();
      child_path += (path.empty() ? "" : ".") + (is_any_name ? "NAME" : child.key);
    }
    visit(child_path, child);
    visit_keys(child, child_path, visit);
  }
}

std::string numbers_text(std::size_t length) {
  return length == 0 ? "list of numbers" : fmt::format("list of {} numbers", length);
}

}  // namespace

Schema Schema::in(std::string_view its_unit) const {
  return changed(*this, [&](Schema& it) { it.unit = its_unit; });
}
Schema Schema::required() const {
  return changed(*this, [](Schema& it) { it.is_required = true; });
}
Schema Schema::above(double bound) const {
  return changed(*this, [&](Schema& it) { it.min = bound, it.excludes_min = true; });
}
Schema Schema::at_least(double bound) const {
  return changed(*this, [&](Schema& it) { it.min = bound, it.excludes_min = false; });
}
Schema Schema::at_most(double bound) const {
  return changed(*this, [&](Schema& it) { it.max = bound; });
}
Schema Schema::defaults_to(std::string_view yaml) const {
  return changed(*this, [&](Schema& it) {
    it.default_value = std::make_shared<const YamlNode>(parse_yaml_value(yaml, "the default of " + it.key));
  });
}
Schema Schema::when_absent(std::string_view sentence) const {
  return changed(*this, [&](Schema& it) { it.default_note = sentence; });
}
Schema Schema::exactly_one_of(std::vector<std::string> keys) const {
  return changed(*this, [&](Schema& it) { it.one_of = std::move(keys); });
}
Schema Schema::only_with(std::string_view other_key) const {
  return changed(*this, [&](Schema& it) { it.needed_key = other_key; });
}
Schema Schema::with_names(std::vector<std::string> names) const {
  return changed(*this, [&](Schema& it) { it.words = std::move(names); });
}

Schema Schema::with_keys(std::vector<Schema> keys) const {
  return changed(*this, [&](Schema& it) { it.children.insert(it.children.end(), keys.begin(), keys.end()); });
}

Schema Schema::with_path_keys() const {
  return changed(*this, [](Schema& it) { it.has_path_keys = true; });
}

const Schema* Schema::child(std::string_view name) const {
  const auto found = std::ranges::find(children, name, [](const Schema& it) { return std::string_view(it.key); });
  return found == children.end() ? nullptr : &*found;
}

const Schema& Schema::value_of(std::string_view name) const {
  const auto is_it = [name](const Schema& it) { return it.key == name; };
  const auto found = std::find_if(children.begin() + 1, children.end(), is_it);
  return found == children.end() ? children.front() : *found;
}

std::vector<std::string> Schema::child_keys() const {
  const bool is_named = type == Type::named;
  if (is_named && words.empty()) return {};
  std::vector<std::string> keys = is_named ? words : std::vector<std::string>();
  for (std::size_t i = is_named ? 1 : 0; i < children.size(); ++i) keys.push_back(children[i].key);
  return keys;
}

std::string Schema::type_text() const {
  switch (type) {
    case Type::text:
      return "text";
    case Type::number:
      return "number";
    case Type::integer:
      return "whole number";
    case Type::boolean:
      return "true or false";
    case Type::choice:
      return words.size() == 1 ? words[0] : fmt::format("one of {}", fmt::join(words, ", "));
    case Type::numbers:
      return numbers_text(length);
    case Type::choice_or_numbers:
      return fmt::format("{}, or {}", fmt::join(words, ", "), numbers_text(length));
    case Type::value:
      return "number, true, false, text, list of numbers or null";
    case Type::map:
      return "map";
    case Type::choice_or_map:
      return fmt::format("{}, or map", fmt::join(words, ", "));
    case Type::named:
      return fmt::format("map of name: {}", children[0].type_text());
    case Type::list:
      return fmt::format("list of {}", children[0].type == Type::map ? "maps" : children[0].type_text());
  }
  return {};
}

std::string Schema::range_text() const {
  std::string text;
  if (min) text = fmt::format("{} {:g}", excludes_min ? "above" : "at least", *min);
  if (max) text += fmt::format("{}at most {:g}", min ? ", " : "", *max);
  return text;
}

namespace schema {

Schema text(std::string_view key, std::string_view about) { return make(Schema::Type::text, key, about); }
Schema number(std::string_view key, std::string_view about) { return make(Schema::Type::number, key, about); }
Schema integer(std::string_view key, std::string_view about) { return make(Schema::Type::integer, key, about); }
Schema boolean(std::string_view key, std::string_view about) { return make(Schema::Type::boolean, key, about); }
Schema value(std::string_view key, std::string_view about) { return make(Schema::Type::value, key, about); }

Schema choice(std::string_view key, std::vector<std::string> words, std::string_view about) {
  return changed(make(Schema::Type::choice, key, about), [&](Schema& it) { it.words = std::move(words); });
}
Schema numbers(std::string_view key, std::size_t length, std::string_view about) {
  return changed(make(Schema::Type::numbers, key, about), [&](Schema& it) { it.length = length; });
}
Schema choice_or_numbers(std::string_view key, std::vector<std::string> words, std::size_t length,
                         std::string_view about) {
  return changed(make(Schema::Type::choice_or_numbers, key, about),
                 [&](Schema& it) { it.words = std::move(words), it.length = length; });
}
Schema map(std::string_view key, std::string_view about, std::vector<Schema> keys) {
  return changed(make(Schema::Type::map, key, about), [&](Schema& it) { it.children = std::move(keys); });
}
Schema choice_or_map(std::string_view key, std::vector<std::string> words, std::string_view about,
                     std::vector<Schema> keys) {
  return changed(make(Schema::Type::choice_or_map, key, about), [&](Schema& it) {
    it.words = std::move(words);
    it.children = std::move(keys);
  });
}
Schema named(std::string_view key, std::string_view about, Schema each) {
  return changed(make(Schema::Type::named, key, about), [&](Schema& it) { it.children = {std::move(each)}; });
}
Schema list(std::string_view key, std::string_view about, Schema item) {
  return changed(make(Schema::Type::list, key, about), [&](Schema& it) { it.children = {std::move(item)}; });
}

}  // namespace schema

void for_each_key(const Schema& schema, const std::function<void(const std::string& path, const Schema&)>& visit) {
  visit_keys(schema, "", visit);
}

}  // namespace aplomb
