#include "aplomb/core/settings/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

/// Position that errors name: a value in an option has neither line nor column.
enum class Places { line_and_column, source_only };

/// Builds our tree from the parser's events, and rejects features that a data file does not need. Events are used
/// rather than yaml-cpp's own tree because that one hides repeated keys and has no limits.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view source, Places places)
      : source_(std::make_shared<const std::string>(source)), places_(places) {
    root_.origin = {source_};  // origin of an empty document, which has no event of its own
  }

  YamlNode take_root() { return std::move(root_); }
  YamlOrigin origin(const YAML::Mark& mark) const {
    if (places_ == Places::source_only) return {source_};
    return {source_, mark.line + 1, mark.column + 1};
  }
  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view what) const {
    throw FileError(origin(mark).place(), what);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++num_documents_ > 1) fail(mark, "a second document starts here; one file holds one document");
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "an alias (*name) is not allowed; write the value out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse(mark, "?", anchor);
    if (expects_key()) fail(mark, "a key is empty; a key is a name");
    add(node(YamlNode::Kind::null, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse(mark, tag, anchor);
    if (expects_key()) return take_key(mark, value, tag == "!");
    YamlNode scalar = node(YamlNode::Kind::scalar, mark);
    scalar.text = value;
    scalar.is_quoted = tag == "!";  // yaml-cpp's mark of a quoted or block scalar
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map that is not finished yet.
  struct Open {
    YamlNode node;
    std::set<std::string> keys;  ///< of a map
    bool has_key = false;        ///< a map's key was read, its value comes next
  };

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) const {
    YamlNode value;
    value.kind = kind;
    value.origin = origin(mark);
    return value;
  }
  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().has_key;
  }

  void refuse(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor)
      fail(mark, "an anchor (&name) is not allowed; write the value out where it is used");
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(mark, fmt::format("a tag ({}) is not allowed", shortened(tag)));
    }
    if (++num_nodes_ > kMaxYamlNodes) fail(mark, fmt::format("more than {} values in one file", kMaxYamlNodes));
  }

  void take_key(const YAML::Mark& mark, const std::string& key, bool is_quoted) {
    Open& map = open_.back();
    if (key.empty()) fail(mark, "a key is empty; a key is a name");
    if (key == "<<" && !is_quoted) fail(mark, "a merge key (<<) is not allowed; write the values out");
    if (!map.keys.insert(key).second) fail(mark, fmt::format("the key '{}' is here twice", shortened(key)));
    map.node.entries.push_back({key, origin(mark), {}});
    map.has_key = true;
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse(mark, tag, anchor);
    if (expects_key()) fail(mark, "a bracket is not closed, or a list or map stands where a key is expected");
    if (open_.size() >= kMaxYamlDepth) fail(mark, fmt::format("nested more than {} deep", kMaxYamlDepth));
    open_.push_back({node(kind, mark), {}, false});
  }

  void close() {
    YamlNode finished = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(finished));
  }

  void add(YamlNode value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& parent = open_.back(); parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(value));
    } else {
      parent.node.entries.back().value = std::move(value);
      parent.has_key = false;
    }
  }

  std::shared_ptr<const std::string> source_;
  Places places_;
  std::vector<Open> open_;
  YamlNode root_;
  int num_documents_ = 0;
  std::size_t num_nodes_ = 0;
};

/// The first line, from 1, with a tab in its indentation; 0 when there is none.
int tab_indented_line(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    const std::string_view indentation = content.substr(0, content.find_first_not_of(" \t"));
    if (indentation.find('\t') != std::string_view::npos) return line;
    text.remove_prefix(std::min(content.size() + 1, text.size()));
  }
  return 0;
}

/// The document in `text`, or an empty node when there is none.
YamlNode parse(std::string_view text, std::string_view source, Places places) {
  if (text.size() > kMaxYamlBytes) {
    throw FileError({std::string(source)}, fmt::format("is larger than {:g} MB, the most that is read",
                                                       1e-6 * static_cast<double>(kMaxYamlBytes)));
  }
  require_plain_text(text, source);
  TreeBuilder builder(source, places);
  try {
    // yaml-cpp 0.7 accepts an unterminated quote when the text ends with a line break: let it end with a comment.
    std::istringstream stream(std::string(text) + (text.ends_with('\n') ? "#" : "\n#"));
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    // The parser takes a tab for text and complains about what follows, often lines below.
    if (const int line = tab_indented_line(text); line > 0) {
      throw FileError({std::string(source), places == Places::source_only ? 0 : line},
                      "not valid YAML: a tab indents this line; YAML is indented with spaces");
    }
    const bool is_open_quote = error.msg == "illegal EOF in scalar";
    builder.fail(error.mark, "not valid YAML: " + (is_open_quote ? "a quote is still open at the end" : error.msg));
  }
  return builder.take_root();
}

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found =
      std::ranges::find(entries, key, [](const YamlEntry& entry) { return std::string_view(entry.key); });
  return found == entries.end() ? nullptr : &found->value;
}

YamlNode* YamlNode::find(std::string_view key) { return const_cast<YamlNode*>(std::as_const(*this).find(key)); }

std::optional<double> YamlNode::number() const {
  if (kind != Kind::scalar || is_quoted) return std::nullopt;
  const std::optional<double> value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> YamlNode::integer() const {
  if (kind != Kind::scalar || is_quoted) return std::nullopt;
  return parse_whole<std::int64_t>(text);
}

std::optional<bool> YamlNode::boolean() const {
  if (kind != Kind::scalar || is_quoted) return std::nullopt;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

YamlNode parse_yaml(std::string_view text, std::string_view source) {
  YamlNode root = parse(text, source, Places::line_and_column);
  if (root.kind == YamlNode::Kind::null) throw FileError({std::string(source)}, "is empty; YAML text is expected");
  return root;
}

YamlNode parse_yaml_value(std::string_view text, std::string_view source) {
  return parse(text, source, Places::source_only);
}

YamlNode read_yaml(const std::filesystem::path& file) {
  return parse_yaml(read_file(file, kMaxYamlBytes), file.string());
}

}  // namespace aplomb
