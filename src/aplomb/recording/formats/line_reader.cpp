#include "aplomb/recording/formats/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 18;
constexpr std::size_t kMostColumns = 200'000;

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

bool is_utf8(std::string_view text) {
  try {
    require_plain_text(text, "");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

LineReader::LineReader(const InputBytes& input) : input_(input), buffer_(std::min(kFirstBuffer, input.size() + 1), 0) {
  fill();
  if (std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) begin_ = 3;
  const void* newline = std::memchr(buffer_.data(), '\n', end_);
  const void* carriage_return = std::memchr(buffer_.data(), '\r', end_);
  if (newline == nullptr && carriage_return != nullptr) line_end_ = '\r';
}

bool LineReader::fill() {
  const std::size_t rest = input_.size() - offset_;
  if (rest == 0) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), end_ + rest));
  const std::size_t count = std::min(rest, buffer_.size() - end_);
  input_.read(offset_, {buffer_.data() + end_, count});
  offset_ += count;
  end_ += count;
  return true;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  const char* stop = nullptr;
  while (true) {
    const char* from = buffer_.data() + begin_ + searched;
    stop = static_cast<const char*>(std::memchr(from, line_end_, end_ - begin_ - searched));
    if (stop != nullptr) break;
    searched = end_ - begin_;
    if (!fill()) break;
  }
  if (stop == nullptr && begin_ == end_) return false;
  const char* start = buffer_.data() + begin_;
  const std::size_t length = stop != nullptr ? static_cast<std::size_t>(stop - start) : end_ - begin_;
  begin_ += stop != nullptr ? length + 1 : length;
  if (line_ < std::numeric_limits<int>::max()) ++line_;
  current_ = {start, length};
  if (!current_.empty() && current_.back() == '\r') current_.remove_suffix(1);
  if (const void* zero = std::memchr(current_.data(), 0, current_.size()); zero != nullptr) {
    fail(static_cast<const char*>(zero), "not a text file: a zero byte (a UTF-16 file? save it as UTF-8)");
  }
  line = current_;
  return true;
}

void LineReader::require_columns(char separator) const {
  if (static_cast<std::size_t>(std::ranges::count(current_, separator)) >= kMostColumns) {
    fail(nullptr, fmt::format("has more than {} columns", kMostColumns));
  }
}

Place LineReader::place(const char* at) const {
  const bool is_inside = at != nullptr && at >= current_.data() && at <= current_.data() + current_.size();
  const std::ptrdiff_t column = is_inside ? at - current_.data() + 1 : 0;
  return {input_.name(), line_, static_cast<int>(std::min<std::ptrdiff_t>(column, std::numeric_limits<int>::max()))};
}

void LineReader::fail(const char* at, std::string_view what) const { throw FileError(place(at), what); }

void LineReader::fail(std::string_view part, std::string_view what) const { fail(std::to_address(part.begin()), what); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t stop = line.find(separator);
    parts.push_back(trimmed(line.substr(0, stop)));
    if (stop == std::string_view::npos) return parts;
    line.remove_prefix(stop + 1);
  }
}

std::vector<std::string_view> words(std::string_view line, std::size_t limit) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < line.size() && found.size() < limit;) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t stop = std::min(line.find_first_of(" \t\r", at), line.size());
    found.push_back(line.substr(at, stop - at));
    at = stop;
  }
  return found;
}

std::size_t count_line_ends(const InputBytes& input) {
  std::string chunk(std::min(kFirstBuffer, input.size()), '\0');
  std::ptrdiff_t line_feeds = 0, returns = 0;
  for (std::size_t offset = 0; offset < input.size(); offset += chunk.size()) {
    const std::size_t size = std::min(chunk.size(), input.size() - offset);
    input.read(offset, {chunk.data(), size});
    line_feeds += std::count(chunk.data(), chunk.data() + size, '\n');
    returns += std::count(chunk.data(), chunk.data() + size, '\r');
  }
  return static_cast<std::size_t>(line_feeds > 0 ? line_feeds : returns) + 1;
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string clean_label(std::string_view bytes) {
  std::string label;
  const bool is_text = is_utf8(bytes);
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20U || byte == 0x7FU) {
      label += ' ';
    } else if (is_text || byte < 0x80U) {
      label += letter;
    } else {  // Latin-1: the first 256 characters of Unicode
      label += static_cast<char>(0xC0U | (byte >> 6));
      label += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return std::string(trimmed(label));
}

std::vector<std::string> repeated_names(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  std::vector<std::string> repeated;
  for (const std::string& name : names) {
    if (!seen.insert(name).second && std::ranges::find(repeated, name) == repeated.end()) repeated.push_back(name);
  }
  return repeated;
}

}  // namespace aplomb
