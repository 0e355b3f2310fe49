#include "aplomb/batch/batch_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "aplomb/batch/job_claim.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/version.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "batch.json";
constexpr int kSchema = 1;               // of the folder; incremented when an older aplomb could not read it
constexpr std::size_t kShardDigits = 2;  // jobs/ab: 256 folders, so that a million jobs are 4,000 in each

std::string own_version() { return fmt::format("{} ({})", version(), commit()); }

/// Whether there is more in a folder than files that another process is writing just now.
bool has_files(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return std::any_of(fs::begin(entries), fs::end(entries), [](const fs::directory_entry& entry) {
    return !entry.path().filename().string().starts_with(".aplomb-");
  });
}

void make_folder(const fs::path& folder, const std::string& shown) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError({shown}, "cannot be written: " + error.message());
}

}  // namespace

BatchFolder::BatchFolder(const fs::path& folder) : shown_(folder.string()) {
  if (folder.empty()) throw InvalidValue("the output folder has an empty name; give a folder, e.g. `--out results`");
  std::error_code error;
  path_ = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error) throw FileError({shown_}, "cannot be used as an output folder: " + error.message());
  if (!path_.has_filename()) path_ = path_.parent_path();  // "results/"
}

BatchFolder BatchFolder::begin(const fs::path& folder) {
  BatchFolder batch(folder);
  std::error_code error;
  const fs::path here = fs::current_path();
  const fs::path description = batch.path_ / kDescription;
  if (fs::exists(description, error)) {
    batch.check(read_own_file(description), here);
  } else {
    const fs::file_status status = fs::status(batch.path_, error);
    if (fs::exists(status) && !fs::is_directory(status)) {
      throw FileError({batch.shown_}, "is a file, not a folder; give another name");
    }
    if (has_files(batch.path_) && !fs::exists(description, error)) {  // again: another process may begin it now
      throw FileError({batch.shown_},
                      fmt::format("has files in it that are not a batch of aplomb (no {}) and is left as "
                                  "it is; give a new folder, or empty this one",
                                  kDescription));
    }
    make_folder(batch.path_, batch.shown_);
    nlohmann::ordered_json json{{"schema", kSchema}, {"aplomb", own_version()}, {"folder", here.string()}};
    write_file(description, json_text(json, 2) + "\n");
  }
  make_folder(batch.path_ / "jobs", batch.shown_);
  make_folder(batch.path_ / "claims", batch.shown_);
  return batch;
}

BatchFolder BatchFolder::join(const fs::path& folder) {
  BatchFolder batch(folder);
  const fs::path description = batch.path_ / kDescription;
  std::error_code error;
  if (!fs::exists(description, error)) throw FileError({batch.shown_}, "is not the result folder of a batch");
  const std::string text = read_own_file(description);
  try {
    fs::current_path(nlohmann::ordered_json::parse(text).at("folder").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw FileError({description.string()}, "is damaged");
  } catch (const fs::filesystem_error& problem) {
    throw FileError({batch.shown_},
                    "was begun in a folder that this machine does not have: " + problem.code().message());
  }
  batch.check(text, fs::current_path());
  return batch;
}

void BatchFolder::check(const std::string& text, const fs::path& here) const {
  std::string made_by, from;
  int schema = 0;
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    schema = json.at("schema").get<int>();
    made_by = json.at("aplomb").get<std::string>();
    from = json.at("folder").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    throw FileError({(path_ / kDescription).string()}, "is damaged; give a new folder");
  }
  if (schema != kSchema || made_by != own_version()) {
    throw FileError({shown_},
                    fmt::format("was begun by aplomb {}, and this is {}: their results are not mixed, and what "
                                "is there stays as it is; finish it with that version, or give another folder",
                                shortened(made_by), own_version()));
  }
  std::error_code error;
  if (!fs::equivalent(from, here, error)) {
    throw FileError({shown_},
                    fmt::format("was begun in the folder {}, from which its paths count; give the command there, "
                                "or another result folder",
                                shortened(from, 200)));
  }
}

fs::path BatchFolder::record_file(const std::string& key) const {
  return path_ / "jobs" / key.substr(0, kShardDigits) / (key + ".json");
}

fs::path BatchFolder::files_folder(const std::string& key) const {
  return path_ / "jobs" / key.substr(0, kShardDigits) / key;
}

std::optional<BatchRecord> BatchFolder::record(const std::string& key) const {
  const fs::path file = record_file(key);
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  try {
    return parse_record(read_own_file(file));
  } catch (const Error&) {
    return std::nullopt;
  }
}

void BatchFolder::write(const std::string& key, const BatchRecord& record) const {
  const fs::path file = record_file(key);
  make_folder(file.parent_path(), shown_);
  write_file(file, to_text(record));
}

bool BatchFolder::is_finished(const BatchJob& job) const {
  std::error_code error;
  if (job.keeps_files && !fs::exists(files_folder(job.key), error)) return false;
  const std::optional<BatchRecord> there = record(job.key);
  return there && !there->is_error() &&
         std::ranges::all_of(there->inputs, [](const auto& input) { return is_unchanged(input.first, input.second); });
}

void BatchFolder::remove_void_claims() const {
  std::vector<fs::path> claims;
  std::error_code error;
  for (fs::directory_iterator entry(path_ / "claims", error), end; !error && entry != end; entry.increment(error)) {
    claims.push_back(entry->path());
  }
  for (const fs::path& claim : claims) JobClaim{claim};  // takes a void one over, and releases it
}

}  // namespace aplomb
