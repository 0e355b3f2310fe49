#include "aplomb/core/files/text_parts.hpp"

#include <fmt/format.h>

#include <charconv>

#include "aplomb/core/error.hpp"

namespace aplomb {

std::string join_parts(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += fmt::format("{}\n", part.size()) + part;
  return text;
}

std::vector<std::string> split_parts(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto begin = static_cast<std::size_t>(end - text.data()) + 1;
    if (error != std::errc() || begin > text.size() || *end != '\n' || size > text.size() - begin) {
      throw InvalidValue("a finished item in the .partial folder is damaged; remove the folder and start again");
    }
    parts.emplace_back(text.substr(begin, size));
    text.remove_prefix(begin + size);
  }
  return parts;
}

}  // namespace aplomb
