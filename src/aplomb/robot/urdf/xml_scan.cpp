#include "aplomb/robot/urdf/xml_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) { return kSpace.find(c) != std::string_view::npos; }
bool is_blank(std::string_view text) { return text.find_first_not_of(kSpace) == std::string_view::npos; }

/// Whether a reference needs no DTD: &amp; and the other predefined ones, or a printable character (&#65;, &#x41;).
bool is_predefined(std::string_view reference) {
  static constexpr std::array<std::string_view, 5> kNames = {"amp", "lt", "gt", "quot", "apos"};
  if (!reference.starts_with('#')) return std::ranges::find(kNames, reference) != kNames.end();
  const bool is_hex = reference.starts_with("#x");
  const std::string_view digits = reference.substr(is_hex ? 2 : 1);
  unsigned code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  return error == std::errc() && end == digits.data() + digits.size() && code >= 0x20;
}

/// Number of bytes of the UTF-8 character at the front of `text`; 0 when it is invalid.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first <= 0xDFu) return continues(1) ? 2 : 0;
  if (first >= 0xE0u && first <= 0xEFu) {
    const bool is_overlong = first == 0xE0u && byte(1) < 0xA0u;
    const bool is_surrogate = first == 0xEDu && byte(1) >= 0xA0u;
    return continues(1) && continues(2) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xF0u && first <= 0xF4u) {
    const bool is_overlong = first == 0xF0u && byte(1) < 0x90u;
    const bool is_beyond = first == 0xF4u && byte(1) >= 0x90u;
    return continues(1) && continues(2) && continues(3) && !is_overlong && !is_beyond ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string read_xml_file(const std::filesystem::path& file) {
  const Place place{file.string()};
  note_input(file);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw FileError(place, no_such_file(file));
  if (std::filesystem::is_directory(status)) throw FileError(place, "is a directory; name the file in it");
  if (!std::filesystem::is_regular_file(status)) throw FileError(place, "is not a regular file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
  // Read one byte more than allowed, so that a file that grows meanwhile is detected too.
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw FileError(place, fmt::format("cannot be measured: {}", error.message()));
  std::string text(std::min<std::uintmax_t>(size, XmlLimits::kBytes) + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) throw FileError(place, "cannot be read to its end");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void check_is_text(std::string_view text, const std::string& file) {
  if (text.size() > XmlLimits::kBytes) {
    throw FileError({file},
                    fmt::format("is larger than {} MB; store meshes in separate files", XmlLimits::kBytes / 1'000'000));
  }
  if (is_blank(text)) throw FileError({file}, "is empty; a URDF starts with <robot name=\"...\">");
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0 || (byte < 0x20 && !is_space(text[i]))) {
      throw FileError({file, line}, fmt::format("byte 0x{:02X} is not UTF-8 text: this is a binary file or in another "
                                                "encoding; save it as UTF-8",
                                                byte));
    }
    if (byte == '\n') ++line;
    i += length;
  }
}

XmlScanner::XmlScanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
}

void XmlScanner::refuse(std::string_view why) const { refuse_at(position_, why); }

void XmlScanner::refuse_at(std::size_t position, std::string_view why) const {
  const auto before = text_.substr(position_, position - position_);
  throw FileError({file_, line_ + static_cast<int>(std::ranges::count(before, '\n'))}, why);
}

void XmlScanner::move_to(std::size_t position) {
  const auto skipped = text_.substr(position_, position - position_);
  line_ += static_cast<int>(std::ranges::count(skipped, '\n'));
  position_ = position;
}

void XmlScanner::skip_past(std::size_t opening, std::string_view end, std::string_view what) {
  const std::size_t found = text_.find(end, position_ + opening);
  if (found == std::string_view::npos) refuse(fmt::format("{} is never closed with {}", what, end));
  move_to(found + end.size());
}

void XmlScanner::check_references(std::size_t end_of_part) const {
  const std::string_view part = text_.substr(0, end_of_part);
  for (std::size_t at = part.find('&', position_); at != std::string_view::npos; at = part.find('&', at + 1)) {
    const std::string_view rest = part.substr(at + 1, 10);
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos || !is_predefined(rest.substr(0, end))) {
      refuse_at(
          at, "an '&' that is not one of &amp; &lt; &gt; &quot; &apos; or &#...;: entities are not read; write &amp;");
    }
  }
}

void XmlScanner::check_text(std::size_t end_of_text) const {
  const std::size_t word = text_.find_first_not_of(kSpace, position_);
  if (open_.empty() && word < end_of_text) {
    refuse_at(word, has_root_ ? "text after the root element's end" : "text before the first '<': this is not XML");
  }
  check_references(end_of_text);
}

std::optional<XmlTag> XmlScanner::next() {
  while (true) {
    const std::size_t start = std::min(text_.find('<', position_), text_.size());
    check_text(start);
    move_to(start);
    if (start == text_.size()) break;
    count(1);
    const std::string_view rest = text_.substr(start);
    if (rest.starts_with("<!--")) {
      skip_past(4, "-->", "a comment");
    } else if (rest.starts_with("<![CDATA[")) {
      skip_past(9, "]]>", "a CDATA section");
    } else if (rest.starts_with("<?")) {
      skip_past(2, "?>", "a processing instruction");
    } else if (rest.starts_with("<!")) {
      refuse("DOCTYPE, ENTITY and other DTD parts are not read; remove them");
    } else {
      return read_tag();
    }
  }
  if (!open_.empty()) {
    const OpenTag& last = open_.back();
    refuse(fmt::format("the file ends, but <{}> of line {} is not closed", last.name, last.line));
  }
  return std::nullopt;
}

void XmlScanner::count(std::size_t num_parts) {
  num_parts_ += num_parts;
  if (num_parts_ > XmlLimits::kParts) refuse(fmt::format("more than {} elements and attributes", XmlLimits::kParts));
}

/// Position after the tag at the current position; a '>' inside quotes does not end it.
std::size_t XmlScanner::end_of_tag() {
  std::size_t num_attributes = 0;
  char quote = '\0';
  for (std::size_t i = position_ + 1; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '<') refuse("a '<' inside a tag: a '>' or a quote is missing before it");
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
      if (++num_attributes > XmlLimits::kAttributes) {
        refuse(fmt::format("more than {} attributes in one tag", XmlLimits::kAttributes));
      }
    } else if (c == '>') {
      count(num_attributes);
      return i + 1;
    }
  }
  refuse("a tag is never closed with '>'");
}

XmlTag XmlScanner::read_tag() {
  const std::size_t end = end_of_tag();
  XmlTag tag;
  tag.begin = position_;
  tag.end = end;
  tag.line = line_;
  const std::string_view all = text_.substr(position_, end - position_);
  std::string_view inside = all.substr(1, all.size() - 2);
  check_references(end);
  if (inside.starts_with('/')) {
    tag.kind = XmlTag::Kind::close;
    inside.remove_prefix(1);
  } else if (inside.ends_with('/')) {
    tag.kind = XmlTag::Kind::empty;
    inside.remove_suffix(1);
  }
  tag.name = inside.substr(0, inside.find_first_of(kSpace));
  if (tag.name.empty()) refuse("a '<' without a tag name after it; as a character write &lt;");
  nest(tag);
  move_to(end);
  return tag;
}

void XmlScanner::nest(XmlTag& tag) {
  if (tag.kind == XmlTag::Kind::close) {
    if (open_.empty()) refuse(fmt::format("</{}> closes nothing", tag.name.substr(0, 60)));
    if (open_.back().name != tag.name) {
      refuse(fmt::format("</{}> found where <{}> of line {} must be closed first", tag.name.substr(0, 60),
                         open_.back().name.substr(0, 60), open_.back().line));
    }
    open_.pop_back();
    tag.depth = open_.size();
    return;
  }
  if (open_.empty() && has_root_) refuse("a second root element; an XML file has one");
  has_root_ = true;
  tag.depth = open_.size();
  if (tag.depth >= XmlLimits::kDepth) {
    refuse(fmt::format("elements are nested more than {} deep", XmlLimits::kDepth));
  }
  if (tag.kind == XmlTag::Kind::open) open_.push_back({tag.name, tag.line});
}

}  // namespace aplomb
