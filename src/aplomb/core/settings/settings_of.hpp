#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "aplomb/core/settings/schema.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {

namespace setting {
// One function pair for each type that a member may have: the YAML text of a value, and its reader.
std::string to_text(double value);
std::string to_text(std::int64_t value);
std::string to_text(bool value);
std::string to_text(const std::string& value);
std::string to_text(const Eigen::Vector3d& value);
void read(const YamlView& view, double& value);
void read(const YamlView& view, int& value);
void read(const YamlView& view, std::int64_t& value);
void read(const YamlView& view, bool& value);
void read(const YamlView& view, std::string& value);
void read(const YamlView& view, Eigen::Vector3d& value);

inline std::string to_text(int value) { return to_text(std::int64_t{value}); }
template <typename Value>
std::string to_text(const std::optional<Value>& value) {
  return value ? to_text(*value) : std::string();
}
template <typename Value>
void read(const YamlView& view, std::optional<Value>& value) {
  read(view, value.emplace());
}
}  // namespace setting

/// The settings of a struct `S` as a YAML block, each declared once: key, unit, range and one sentence here, the
/// default as the member's initialiser. Schema (errors, `--set`, documentation) and reader both follow from it:
///   SettingsOf<Settings>()
///       .add(&Settings::ramp_s, schema::number("ramp_s", "rise time of a contact's load").in("s").above(0).at_most(1))
///       .add(&Settings::mode, schema::choice("mode", {"strict", "weighted"}, "..."), {Mode::strict, Mode::weighted})
/// A member is named by a pointer, or reached by a function `[](Settings& s) -> double& { return s.contacts.ramp_s; }`.
/// A key that is absent keeps the member's default; a default that no value expresses is described by `when_absent`.
template <typename S>
class SettingsOf {
 public:
  template <typename Member>
  using ValueOf = std::remove_cvref_t<std::invoke_result_t<const Member&, S&>>;

  /// Adds a member of one of the types above, or an optional one.
  template <typename Member>
  SettingsOf& add(Member member, const Schema& key) {
    const std::string text = setting::to_text(std::invoke(member, defaults_));
    return add(with_default(key, text),
               [member](const YamlView& value, S& settings) { setting::read(value, std::invoke(member, settings)); });
  }

  /// Adds a member with one value for each word of a choice, in the order of the words.
  template <typename Member>
  SettingsOf& add(Member member, const Schema& choice, std::vector<ValueOf<Member>> values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == std::invoke(member, defaults_)) text = choice.words.at(i);
    }
    return add(with_default(choice, text),
               [member, words = choice.words, values = std::move(values)](const YamlView& value, S& settings) {
                 for (std::size_t i = 0; i < words.size(); ++i) {
                   if (words[i] == value.text()) std::invoke(member, settings) = values.at(i);
                 }
               });
  }

  /// Adds any other key: `read` is called with the key's value when the key is present.
  SettingsOf& add(const Schema& key, std::function<void(const YamlView&, S&)> read) {
    keys_.push_back(key);
    readers_.push_back(std::move(read));
    return *this;
  }

  /// Adds the keys of a member that has a declaration of its own to the keys of this block.
  template <typename Member, typename Inner>
  SettingsOf& add_all(Member member, const SettingsOf<Inner>& inner) {
    for (std::size_t i = 0; i < inner.keys_.size(); ++i) {
      add(inner.keys_[i], [member, read = inner.readers_[i]](const YamlView& value, S& settings) {
        read(value, std::invoke(member, settings));
      });
    }
    return *this;
  }

  const std::vector<Schema>& keys() const { return keys_; }
  Schema schema(std::string_view key, std::string_view about) const { return schema::map(key, about, keys_); }

  /// Reads a block with (at least) these keys, which `require_valid` has accepted.
  S read(const YamlView& view) const { return read(view, defaults_); }
  /// The same; absent keys keep the values of `settings`.
  S read(const YamlView& view, S settings) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (view.has(keys_[i].key)) readers_[i](view[keys_[i].key], settings);
    }
    return settings;
  }

 private:
  template <typename>
  friend class SettingsOf;

  static Schema with_default(const Schema& key, const std::string& text) {
    const bool has_default = !key.is_required && key.default_note.empty() && !text.empty();
    return has_default ? key.defaults_to(text) : key;
  }

  S defaults_{};
  std::vector<Schema> keys_;
  std::vector<std::function<void(const YamlView&, S&)>> readers_;
};

}  // namespace aplomb
