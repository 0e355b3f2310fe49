#include "aplomb/scenario/overrides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <utility>
#include <vector>

#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

using Type = Schema::Type;

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

/// Walks down a tree and its schema, one part of the path at a time.
class PathWalker {
 public:
  PathWalker(YamlNode& root, const Schema& schema, const YamlOrigin& origin)
      : node_(&root), schema_(schema), origin_(origin) {}

  void walk(std::string_view path) {
    while (!schema_.has_path_keys) {
      const std::size_t dot = path.find('.');
      enter(std::string(path.substr(0, dot)));
      if (dot == std::string_view::npos) return;
      path.remove_prefix(dot + 1);
    }
    enter(std::string(path));  // what follows `vary` is one key, dots and all
  }

  void set(YamlNode value) { *node_ = std::move(value); }
  const Schema& schema() const { return schema_; }

 private:
  void enter(const std::string& part) {
    if (schema_.type == Type::map || schema_.type == Type::named || schema_.type == Type::choice_or_map) {
      enter_key(part);
    } else if (node_->kind == YamlNode::Kind::list) {
      enter_item(part);
    } else {
      fail(fmt::format("{} is {}, there is no '{}' inside", walked_, described(), shortened(part)));
    }
    walked_ += (walked_.empty() ? "" : ".") + part;
  }

  /// An item of this list with the keys that it must have: "{push: ...}".
  std::string item_text() const {
    const Schema& item = schema_.children[0];
    std::vector<std::string> keys;
    for (const Schema& child : item.children) {
      if (child.is_required) keys.push_back(child.key + ": ...");
    }
    if (!item.one_of.empty()) keys.push_back(item.one_of.front() + ": ...");
    return fmt::format("{{{}}}", fmt::join(keys, ", "));
  }

  [[noreturn]] void fail(std::string_view what) const { throw FileError(origin_.place(), what); }

  std::string described() const {
    return schema_.type == Type::list ? "not a list in the file" : fmt::format("a value ({})", schema_.type_text());
  }

  void enter_key(const std::string& part) {
    const std::string name = walked_.empty() ? "the file" : walked_;
    const Schema* child = schema_.type == Type::named ? &schema_.value_of(part) : schema_.child(part);
    if (child == nullptr) {
      fail(fmt::format("unknown key '{}'{}{}; {}", shortened(part), walked_.empty() ? "" : " in ", walked_,
                       suggestion(part, schema_.child_keys(), /*limit=*/30)));
    }
    if (node_->kind != YamlNode::Kind::map)
      fail(fmt::format("{} is not a map, so it has no '{}'", name, shortened(part)));
    YamlNode* value = node_->find(part);
    if (value == nullptr) {
      node_->entries.push_back({part, origin_, empty(*child)});
      value = &node_->entries.back().value;
    }
    node_ = value;
    schema_ = Schema(*child);
  }

  void enter_item(const std::string& part) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_number = error == std::errc() && end == part.data() + part.size();
    const std::size_t size = node_->items.size();
    if (!is_number || index >= size) {
      const std::string remedy = schema_.type == Type::list
                                     ? fmt::format("; an item is added by setting the whole list: --set '{}=[{}{}]'",
                                                   walked_, size == 0 ? "" : "..., ", item_text())
                                     : std::string();
      fail(fmt::format("{} has {} item{}{}, there is no '{}'{}", walked_, size, size == 1 ? "" : "s",
                       size == 0 ? "" : fmt::format(" (0 to {})", size - 1), shortened(part), remedy));
    }
    node_ = &node_->items[index];
    if (schema_.type == Type::list) {
      schema_ = Schema(schema_.children[0]);
    } else {
      schema_.type = Type::number;  // one number of a list of numbers
    }
  }

  /// What stands for a key that is not in the file, so that the walk can go on.
  YamlNode empty(const Schema& schema) const {
    YamlNode node;
    node.origin = origin_;
    if (schema.type == Type::map || schema.type == Type::named || schema.type == Type::choice_or_map)
      node.kind = YamlNode::Kind::map;
    if (schema.type == Type::list || schema.type == Type::numbers) node.kind = YamlNode::Kind::list;
    return node;
  }

  YamlNode* node_;
  Schema schema_;  ///< a copy: a number inside a list of numbers has no schema of its own
  YamlOrigin origin_;
  std::string walked_;
};

}  // namespace

std::string Override::option() const { return fmt::format("--set {}={}", shortened(key, 120), shortened(value, 120)); }

Override parse_override(std::string_view key_and_value) {
  const std::size_t equals = key_and_value.find('=');
  if (equals == std::string_view::npos) {
    throw InvalidValue(
        fmt::format("--set {}: KEY=VALUE is expected, e.g. --set duration_s=2", shortened(key_and_value)));
  }
  Override change{std::string(key_and_value.substr(0, equals)), std::string(key_and_value.substr(equals + 1))};
  for (const std::string& part : split(change.key)) {
    if (!part.empty()) continue;
    throw InvalidValue(
        fmt::format("{}: a part of the key is empty; parts are separated by one dot, e.g. "
                    "events.0.push.start_s",
                    change.option()));
  }
  return change;
}

Schema set_value(YamlNode& root, const Schema& schema, std::string_view key, const YamlOrigin& origin, YamlNode value) {
  PathWalker walker(root, schema, origin);
  walker.walk(key);
  walker.set(std::move(value));
  return walker.schema();
}

namespace {

/// Keys of which a scenario has one: an option that sets the first replaces the second.
constexpr std::pair<std::string_view, std::string_view> kReplaced[] = {
    {"plan.demonstration", "plan.style"}, {"plan.style", "plan.demonstration"}, {"reference.trajectory", "plan"}};

bool is_inside(std::string_view key, std::string_view block) {
  return key.starts_with(block) && (key.size() == block.size() || key[block.size()] == '.');
}

void erase(YamlNode& root, std::string_view key) {
  YamlNode* parent = &root;
  if (const std::size_t dot = key.find('.'); dot != std::string_view::npos) {
    parent = root.find(key.substr(0, dot));
    key.remove_prefix(dot + 1);
  }
  if (parent != nullptr) std::erase_if(parent->entries, [key](const YamlEntry& entry) { return entry.key == key; });
}

}  // namespace

void apply_override(YamlNode& root, const Schema& schema, const Override& change) {
  for (const auto& [key, replaced] : kReplaced) {
    if (is_inside(change.key, key)) erase(root, replaced);
  }
  const auto source = std::make_shared<const std::string>(change.option());
  set_value(root, schema, change.key, {source}, parse_yaml_value(change.value, *source));
}

}  // namespace aplomb
