#include "aplomb/batch/manifest_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "aplomb/core/files/text_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostColumns = 1000;

/// Fields of one line by RFC 4180; a quoted field has no line break. Throws FileError on a quote that is not closed.
std::vector<std::string> fields_of(std::string_view line, const Place& place) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (letter == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) fields.back() += line[i++];
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (letter == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  if (is_quoted) throw FileError(place, "a quote is opened and not closed on this line");
  return fields;
}

class CsvManifest {
 public:
  explicit CsvManifest(const std::filesystem::path& file) : file_(file), stream_(file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw FileError({file.string()}, no_such_file(file));
    if (!stream_ || std::filesystem::is_directory(file, error)) throw FileError({file.string()}, "cannot be read");
  }

  void visit(const std::function<void(const ManifestJob&)>& visit) {
    std::string line;
    bool has_jobs = false;
    while (next_line(line)) {
      if (line.empty()) continue;
      if (columns_.empty()) {
        read_header(line);
        continue;
      }
      visit(job_of(line));
      has_jobs = true;
    }
    if (stream_.bad()) throw FileError({file_.string()}, "cannot be read to its end");
    if (!has_jobs)
      throw FileError({file_.string()},
                      "has no jobs: a header with `verb,input` and one row for each job are expected");
  }

 private:
  Place place() const { return {.file = file_.string(), .line = line_number_}; }

  bool next_line(std::string& line) {
    if (!std::getline(stream_, line)) return false;
    ++line_number_;
    if (line.ends_with('\r')) line.pop_back();
    try {
      require_plain_text(line, file_.string());
    } catch (const FileError&) {
      throw FileError(place(), "is not plain text (UTF-8) in this line");
    }
    return true;
  }

  void read_header(const std::string& line) {
    columns_ = fields_of(line, place());
    if (columns_.size() > kMostColumns) throw FileError(place(), fmt::format("more than {} columns", kMostColumns));
    const std::set<std::string> names(columns_.begin(), columns_.end());
    if (!names.contains("verb") || !names.contains("input")) {
      throw FileError(place(), "the first line must name the columns, with `verb` and `input` among them");
    }
    if (names.size() != columns_.size()) throw FileError(place(), "two columns have the same name");
    for (const std::string& name : columns_) {
      if (name.empty()) throw FileError(place(), "a column has no name");
      if (name == "out" || name == "json" || name == "jobs") {
        throw FileError(place(), fmt::format("column '{}': is said once for the whole batch, with `aplomb batch --{}`",
                                             name, name));
      }
    }
  }

  ManifestJob job_of(const std::string& line) {
    const std::vector<std::string> fields = fields_of(line, place());
    if (fields.size() != columns_.size()) {
      throw FileError(place(),
                      fmt::format("{} fields, but the header names {} columns", fields.size(), columns_.size()));
    }
    const auto field = [&](std::string_view name) -> const std::string& {
      return fields[static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin())];
    };
    const std::string& verb = field("verb");
    if (std::ranges::find(batch_verbs(), verb) == batch_verbs().end()) {
      throw FileError(place(), fmt::format("'{}' cannot be a job; valid verbs are {}", shortened(verb),
                                           fmt::join(batch_verbs(), ", ")));
    }
    if (field("input").empty()) throw FileError(place(), "the job has no input");
    ManifestJob job{.command = {verb, field("input")}, .keeps_files = keeps_files_by_default(verb), .place = place()};
    std::string kind = verb;  // jobs with the same options need one check of these
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& name = columns_[i];
      if (name == "verb" || name == "input" || fields[i].empty()) continue;
      if (name == "files") {
        job.keeps_files = parse_files(fields[i], place());
        continue;
      }
      kind += "," + name;
      add(job.command, name, fields[i]);
    }
    job.is_first_like = kinds_.insert(kind).second;
    return job;
  }

  static void add(std::vector<std::string>& command, const std::string& name, const std::string& value) {
    if (name == "seed") {
      command.insert(command.end(), {"--set", "seed=" + value});
    } else if (name.starts_with("set.")) {
      command.insert(command.end(), {"--set", name.substr(4) + "=" + value});
    } else if (value == "true") {
      command.push_back("--" + name);
    } else if (value != "false") {
      command.insert(command.end(), {"--" + name, value});
    }
  }

  std::filesystem::path file_;
  std::ifstream stream_;
  int line_number_ = 0;
  std::vector<std::string> columns_;
  std::set<std::string> kinds_;
};

}  // namespace

void for_each_csv_job(const std::filesystem::path& manifest, const std::function<void(const ManifestJob&)>& visit) {
  CsvManifest(manifest).visit(visit);
}

}  // namespace aplomb
