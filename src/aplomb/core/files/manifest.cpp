#include "aplomb/core/files/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine =
    "# The files of a result of aplomb; the next result replaces these and nothing else.";
constexpr std::string_view kUndigested = "# without a digest: ";
constexpr const char* kTimes = "timing.json";
constexpr std::size_t kDigestLength = 64;

/// As sha256sum writes a name: one with a backslash or a line break is escaped, and its line begins with a backslash.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter == '\\') {
      text += "\\\\";
    } else if (letter == '\n') {
      text += "\\n";
    } else {
      text += letter;
    }
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      name += text[i] == 'n' ? '\n' : text[i];
    } else {
      name += text[i];
    }
  }
  return name;
}

/// Digests by relative path; empty for a file without one.
using Listing = std::map<std::string, std::string>;

std::string line_of(const std::string& name, const std::string& digest) {
  const std::string shown = escaped(name);
  if (digest.empty()) return fmt::format("{}{}\n", kUndigested, shown);
  return fmt::format("{}{}  {}\n", shown == name ? "" : "\\", digest, shown);
}

std::optional<Listing> parse(std::string_view text) {
  if (!text.starts_with(kFirstLine)) return std::nullopt;
  text.remove_prefix(kFirstLine.size());
  Listing listing;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(kUndigested)) {
      listing[unescaped(line.substr(kUndigested.size()))] = "";
      continue;
    }
    const bool is_escaped = line.starts_with('\\');
    if (is_escaped) line.remove_prefix(1);
    if (line.size() < kDigestLength + 3 || line.substr(kDigestLength, 2) != "  ") continue;
    const std::string_view name = line.substr(kDigestLength + 2);
    listing[is_escaped ? unescaped(name) : std::string(name)] = line.substr(0, kDigestLength);
  }
  return listing;
}

std::optional<Listing> read_listing(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / kManifestFile;
  if (!fs::is_regular_file(fs::symlink_status(file, error))) return std::nullopt;
  try {
    return parse(read_own_file(file));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Whether a file is listed with the contents that it has.
bool is_listed(const fs::path& file, const std::string& name, const Listing& listing) {
  const auto found = listing.find(name);
  if (found == listing.end()) return false;
  try {
    return found->second.empty() || sha256_of_file(file) == found->second;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void write_manifest(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).generic_string());
  }
  std::string text = std::string(kFirstLine) + '\n';
  for (const std::string& name : names) {
    text += line_of(name, fs::path(name).filename() == kTimes ? "" : sha256_of_file(folder / name));
  }
  write_file(folder / kManifestFile, text);
}

std::optional<std::vector<std::string>> foreign_files(const fs::path& folder) {
  const std::optional<Listing> listing = read_listing(folder);
  if (!listing) return std::nullopt;
  std::set<std::string> folders;  // of listed files
  for (const auto& [name, digest] : *listing) {
    for (fs::path parent = fs::path(name).parent_path(); !parent.empty(); parent = parent.parent_path()) {
      folders.insert(parent.generic_string());
    }
  }
  std::vector<std::string> foreign;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(folder).generic_string();
    const fs::file_status status = entry->symlink_status(error);
    const bool is_ours = fs::is_directory(status) ? folders.contains(name)
                         : fs::is_regular_file(status)
                             ? name == kManifestFile || is_listed(entry->path(), name, *listing)
                             : false;
    if (!is_ours) foreign.push_back(name);
  }
  if (error) foreign.push_back(error.message());  // a folder that cannot be read is not removed
  std::ranges::sort(foreign);
  return foreign;
}

}  // namespace aplomb
