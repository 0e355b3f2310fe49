#include "shared/table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "aplomb/report/summary_table.hpp"

namespace aplomb {
namespace {

bool is_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::size_t screen_width() {
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 120;
}

/// Number of characters of a UTF-8 text: its bytes without those that continue a character.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// Wraps a text at spaces into lines of at most `width` characters.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && length_of(lines.back()) + 1 + length_of(word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string padded(const std::string& cell, std::size_t width) {
  const std::size_t length = length_of(cell);
  const std::string space(width > length ? width - length : 0, ' ');
  return is_number(cell) ? space + cell : cell + space;
}

}  // namespace

std::string aligned_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < header.size(); ++column) {
    std::size_t width = length_of(header[column]);
    for (const auto& row : rows) width = std::max(width, length_of(row[column]));
    widths.push_back(width);
  }
  std::size_t indent = 0;
  for (std::size_t column = 0; column + 1 < widths.size(); ++column) indent += widths[column] + 2;
  const std::size_t screen = screen_width();
  widths.back() = std::min(widths.back(), std::max<std::size_t>(screen > indent ? screen - indent : 0, 30));

  std::ostringstream out;
  const auto write_row = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t column = 0; column + 1 < row.size(); ++column) line += padded(row[column], widths[column]) + "  ";
    const std::vector<std::string> last = wrapped(row.back(), widths.back());
    line += is_number(last.front()) ? padded(last.front(), widths.back()) : last.front();
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    for (std::size_t i = 1; i < last.size(); ++i) out << std::string(indent, ' ') << last[i] << '\n';
  };
  write_row(header);
  out << std::string(indent + widths.back(), '-') << '\n';
  for (const auto& row : rows) write_row(row);
  return out.str();
}

std::string result_text(const Result& result, const std::vector<PageTable>& tables) {
  std::string text = summary_table(result, wants_colours(STDOUT_FILENO));
  for (const PageTable& table : tables) {
    if (!table.is_detail) text += "\n" + table.title + "\n" + aligned_table(table.header, table.rows);
  }
  return text;
}

}  // namespace aplomb
