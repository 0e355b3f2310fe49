#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// Size limits of an XML file, beyond which a parser could exhaust stack or memory.
struct XmlLimits {
  static constexpr std::size_t kBytes = 50'000'000;
  static constexpr std::size_t kDepth = 200;
  static constexpr std::size_t kParts = 1'000'000;  ///< tags, attributes and comments
  static constexpr std::size_t kAttributes = 64;    ///< in one element
};

/// The text of a regular file of at most XmlLimits::kBytes. Throws FileError.
std::string read_xml_file(const std::filesystem::path& file);

/// One tag of an XML text and its position.
struct XmlTag {
  enum class Kind { open, close, empty };  // <a>, </a>, <a/>
  Kind kind = Kind::open;
  std::string_view name;
  std::size_t begin = 0, end = 0;  ///< text[begin] is '<', text[end − 1] is '>'
  int line = 0;
  std::size_t depth = 0;  ///< 0 for the root, the same for an element's two tags
};

/// Iterates over the tags of an XML text without building a tree, so that no input can exhaust memory or stack. Throws
/// FileError, with the line, on bad nesting, a DTD, an entity or an exceeded limit.
class XmlScanner {
 public:
  XmlScanner(std::string_view text, std::string file);  ///< `text` must outlive this object
  std::optional<XmlTag> next();                         ///< empty at the end of the text

 private:
  struct OpenTag {
    std::string_view name;
    int line;
  };
  [[noreturn]] void refuse(std::string_view why) const;
  void move_to(std::size_t position);
  void skip_past(std::size_t opening, std::string_view end, std::string_view what);
  [[noreturn]] void refuse_at(std::size_t position, std::string_view why) const;
  void check_text(std::size_t end_of_text) const;        // from the current position on
  void check_references(std::size_t end_of_part) const;  // from the current position on
  void count(std::size_t num_parts);
  std::size_t end_of_tag();
  XmlTag read_tag();
  void nest(XmlTag& tag);

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  int line_ = 1;
  std::size_t num_parts_ = 0;
  bool has_root_ = false;
  std::vector<OpenTag> open_;
};

/// Refuses an empty text and one that is not UTF-8 or has control characters (a binary file, UTF-16, Latin-1).
void check_is_text(std::string_view text, const std::string& file);

}  // namespace aplomb
