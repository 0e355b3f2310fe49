#include "aplomb/batch/job.hpp"

#include <algorithm>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_parts.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/version.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyDigits = 32;  // 128 bits: no two of 1e9 jobs share them by chance

/// The digest of the file that a word of a command names; empty when it names none. A folder of results is known by its
/// manifest.
std::string digest_of(const std::string& word) {
  std::error_code error;
  const fs::path path = word;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    const fs::path manifest = path / "manifest.sha256";
    return fs::exists(manifest, error) ? input_digest(manifest) : std::string();
  }
  return fs::is_regular_file(status) ? input_digest(path) : std::string();
}

std::string scenario_digest(const std::string& name) {
  static const std::vector<std::string> names = scenario_names();
  return std::ranges::binary_search(names, name) ? input_digest(scenario_file(name)) : std::string();
}

}  // namespace

std::string batch_key(const std::vector<std::string>& command) {
  std::vector<std::string> parts{version(), commit()};
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const bool is_set = i > 0 && command[i - 1] == "--set";
    parts.push_back(word);
    parts.push_back(i == 0 ? std::string() : digest_of(is_set ? word.substr(word.find('=') + 1) : word));
    if (i == 1 && parts.back().empty()) parts.back() = scenario_digest(word);
  }
  return sha256(join_parts(parts)).substr(0, kKeyDigits);
}

std::string to_line(const BatchJob& job) {
  nlohmann::ordered_json json;
  json["key"] = job.key;
  json["files"] = job.keeps_files;
  json["command"] = job.command;
  return json_text(json);
}

BatchJob parse_job(std::string_view line) {
  try {
    const auto json = nlohmann::ordered_json::parse(line);
    BatchJob job{.command = json.at("command").get<std::vector<std::string>>(),
                 .keeps_files = json.at("files").get<bool>(),
                 .key = json.at("key").get<std::string>()};
    const bool is_key = job.key.size() == kKeyDigits && std::ranges::all_of(job.key, [](char digit) {
                          return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
                        });
    if (is_key && !job.command.empty()) return job;
  } catch (const nlohmann::json::exception&) {  // NOLINT(bugprone-empty-catch): the error below
  }
  throw InvalidValue("a line of the batch's index is damaged; give the command with its manifest again");
}

}  // namespace aplomb
