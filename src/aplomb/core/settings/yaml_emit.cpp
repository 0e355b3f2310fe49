#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kLineWidth = 110;

bool is_null_word(std::string_view text) { return text == "null" || text == "Null" || text == "NULL"; }

/// Whether `text` can be written without quotes, also in a flow list, and is read back as the same text.
bool is_plain(std::string_view text) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto is_safe = [&](char c) { return is_letter_or_digit(c) || std::string_view("_.+-/ ").find(c) < 6; };
  if (text.empty() || text.back() == ' ' || is_null_word(text) || !std::ranges::all_of(text, is_safe)) return false;
  if (is_letter_or_digit(text[0]) || text[0] == '_' || text[0] == '/') return true;
  // A sign or a dot may start a number; "-", "- a" and "..." mean something else.
  return text.size() > 1 && (text[0] == '+' || text[0] == '-' || text[0] == '.') &&
         (is_letter_or_digit(text[1]) || (text[1] == '.' && text.size() > 2 && is_letter_or_digit(text[2])));
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20U || byte == 0x7FU) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string key_text(const std::string& key) { return is_plain(key) ? key : in_quotes(key); }

/// YAML text on one line (flow style).
std::string flow(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "null";
    case YamlNode::Kind::scalar:
      return !node.is_quoted && is_plain(node.text) ? node.text : in_quotes(node.text);
    case YamlNode::Kind::list:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow(item);
      return '[' + text + ']';
    case YamlNode::Kind::map:
      for (const YamlEntry& entry : node.entries) {
        text += (text.empty() ? "" : ", ") + key_text(entry.key) + ": " + flow(entry.value);
      }
      return '{' + text + '}';
  }
  return text;
}

bool is_empty_or_scalar(const YamlNode& node) { return node.items.empty() && node.entries.empty(); }

/// Lists of maps are easier to read with one item per line, however short they are.
bool is_one_line(const YamlNode& node, std::size_t indent) {
  const auto is_map = [](const YamlNode& item) { return item.kind == YamlNode::Kind::map; };
  if (is_empty_or_scalar(node)) return true;
  return std::ranges::none_of(node.items, is_map) && indent + flow(node).size() <= kLineWidth;
}

void block(const YamlNode& node, std::size_t indent, std::string& out);

void block_item(const YamlNode& item, std::size_t indent, std::string& out) {
  const bool is_single_entry = item.entries.size() == 1;
  if (is_one_line(item, indent + 2) && !is_single_entry) {
    out += std::string(indent, ' ') + "- " + flow(item) + '\n';
    return;
  }
  const std::size_t start = out.size();
  block(item, indent + 2, out);
  out[start + indent] = '-';  // the item's first line begins with the dash
}

void block(const YamlNode& node, std::size_t indent, std::string& out) {
  for (const YamlNode& item : node.items) block_item(item, indent, out);
  for (const YamlEntry& entry : node.entries) {
    out += std::string(indent, ' ') + key_text(entry.key) + ':';
    if (is_one_line(entry.value, indent + entry.key.size() + 2)) {
      out += ' ' + flow(entry.value) + '\n';
    } else {
      out += '\n';
      block(entry.value, indent + 2, out);
    }
  }
}

}  // namespace

std::string to_yaml(const YamlNode& node) {
  if (is_empty_or_scalar(node)) return flow(node) + '\n';
  std::string out;
  block(node, 0, out);
  return out;
}

}  // namespace aplomb
