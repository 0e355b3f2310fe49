#include "aplomb/batch/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "aplomb/batch/manifest_csv.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {
namespace {

constexpr std::array<std::string_view, 8> kVerbs{"compare",  "estimate", "grade", "human",
                                                 "identify", "retarget", "rise",  "run"};
constexpr std::array<std::string_view, 3> kOwnOptions{"out", "json", "jobs"};  // the batch's own affair

std::string scalar(const YamlNode& node, const std::string& key) {
  if (node.kind == YamlNode::Kind::scalar) return node.text;
  throw FileError(node.origin.place(), fmt::format("{}: a text or a number is expected", key));
}

/// The texts of a scalar or of a list of scalars.
std::vector<std::string> scalars(const YamlNode& node, const std::string& key) {
  if (node.kind != YamlNode::Kind::list) return {scalar(node, key)};
  std::vector<std::string> texts;
  for (const YamlNode& item : node.items) texts.push_back(scalar(item, key));
  if (texts.empty()) throw FileError(node.origin.place(), fmt::format("{}: the list is empty", key));
  return texts;
}

/// A plain word as it is, other text in the quotes that JSON and YAML share.
std::string quoted(const std::string& text) {
  return text.find_first_of(",[]{}:#&*!|>'\"%@` ") == std::string::npos ? text : json_text(text);
}

/// A value of a scenario as `--set` takes it: YAML in one line.
std::string value_text(const YamlNode& node) {
  std::string text;
  if (node.kind == YamlNode::Kind::list) {
    for (const YamlNode& item : node.items) text += fmt::format("{}{}", text.empty() ? "[" : ", ", value_text(item));
    return text.empty() ? "[]" : text + "]";
  }
  if (node.kind == YamlNode::Kind::map) {
    for (const YamlEntry& entry : node.entries) {
      text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", quoted(entry.key), value_text(entry.value));
    }
    return text.empty() ? "{}" : text + "}";
  }
  if (node.kind == YamlNode::Kind::null) return "null";
  return node.is_quoted ? json_text(node.text) : quoted(node.text);
}

/// Paths that match a pattern, sorted; a text without * ? [ is itself.
std::vector<std::string> expand(const std::string& pattern, const Place& place) {
  if (pattern.find_first_of("*?[") == std::string::npos) return {pattern};
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (paths.empty()) {
    throw FileError(place, fmt::format("no file matches '{}'; paths count from the folder of the command", pattern));
  }
  return paths;
}

/// First and last seed.
struct Seeds {
  std::int64_t first = 0, last = 0;
};

/// Alternatives of an option, or of a key of the scenario; one of each makes a job.
struct Choice {
  std::vector<std::vector<std::string>> words;
};

/// An entry of the list `jobs`.
class Entry {
 public:
  explicit Entry(const YamlNode& node) : place_(node.origin.place()) {
    if (node.kind != YamlNode::Kind::map) {
      throw FileError(place_, "a job is a map with a verb, e.g. `- run: stand_coman`");
    }
    for (const YamlEntry& entry : node.entries) read_verb(entry);
    if (verb_.empty()) {
      throw FileError(place_, fmt::format("a job names its verb and input, e.g. `run: stand_coman`; valid verbs are {}",
                                          fmt::join(kVerbs, ", ")));
    }
    keeps_files_ = keeps_files_by_default(verb_);
    for (const YamlEntry& entry : node.entries) {
      if (entry.key != verb_) read(entry);
    }
  }

  void visit(const std::function<void(const ManifestJob&)>& visit) const {
    bool is_first = true;
    for (const std::string& input : inputs_) {
      std::vector<std::size_t> at(choices_.size(), 0);
      do {
        ManifestJob job{.command = {verb_, input}, .keeps_files = keeps_files_, .place = place_};
        for (std::size_t i = 0; i < choices_.size(); ++i) {
          const std::vector<std::string>& words = choices_[i].words[at[i]];
          job.command.insert(job.command.end(), words.begin(), words.end());
        }
        job.is_first_like = is_first;
        visit_seeds(job, visit);
        is_first = false;
      } while (advance(at));
    }
  }

 private:
  void read_verb(const YamlEntry& entry) {
    if (std::ranges::find(kVerbs, entry.key) == kVerbs.end()) return;
    if (!verb_.empty()) {
      throw FileError(entry.origin.place(), fmt::format("'{}' after '{}': a job has one verb", entry.key, verb_));
    }
    verb_ = entry.key;
    for (const std::string& text : scalars(entry.value, entry.key)) {
      for (std::string& path : expand(text, entry.value.origin.place())) inputs_.push_back(std::move(path));
    }
  }

  void read(const YamlEntry& entry) {
    const Place place = entry.origin.place();
    const bool is_of_scenario = entry.key == "seeds" || entry.key == "set" || entry.key == "grid";
    if (is_of_scenario && verb_ != "run" && verb_ != "compare") {
      throw FileError(place,
                      fmt::format("{}: only jobs of `run` and `compare` have it, this one is `{}`", entry.key, verb_));
    }
    if (entry.key == "seeds") {
      read_seeds(entry.value);
    } else if (entry.key == "set") {
      require_map(entry);
      for (const YamlEntry& one : entry.value.entries) {
        choices_.push_back({.words = {{"--set", one.key + "=" + value_text(one.value)}}});
      }
    } else if (entry.key == "grid") {
      require_map(entry);
      for (const YamlEntry& one : entry.value.entries) read_grid(one);
    } else if (entry.key == "files") {
      keeps_files_ = parse_files(scalar(entry.value, entry.key), entry.value.origin.place());
    } else {
      read_option(entry);
    }
  }

  static void require_map(const YamlEntry& entry) {
    if (entry.value.kind == YamlNode::Kind::map) return;
    throw FileError(entry.value.origin.place(),
                    fmt::format("{}: a map of keys and values is expected, e.g. {{world.floor.friction: {}}}",
                                entry.key, entry.key == "grid" ? "[0.3, 0.5]" : "0.3"));
  }

  void read_grid(const YamlEntry& entry) {
    if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty()) {
      throw FileError(entry.value.origin.place(),
                      fmt::format("grid.{}: a list of values is expected; one value belongs to `set`", entry.key));
    }
    Choice choice;
    for (const YamlNode& value : entry.value.items) {
      choice.words.push_back({"--set", entry.key + "=" + value_text(value)});
    }
    choices_.push_back(std::move(choice));
  }

  void read_seeds(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::list && node.items.size() == 2) {
      const auto first = node.items[0].integer(), last = node.items[1].integer();
      if (first && last && *first >= 0 && *last >= *first) {
        seeds_ = {*first, *last};
        return;
      }
    }
    throw FileError(node.origin.place(), "seeds: the first and the last are expected, e.g. [1, 1000]");
  }

  void read_option(const YamlEntry& entry) {
    std::string name = entry.key;
    std::ranges::replace(name, '_', '-');
    if (std::ranges::find(kOwnOptions, name) != kOwnOptions.end()) {
      throw FileError(entry.origin.place(),
                      fmt::format("{}: is said once for the whole batch, with `aplomb batch --{}`", entry.key, name));
    }
    Choice choice;
    for (const std::string& text : scalars(entry.value, entry.key)) {
      if (text == "false") {
        choice.words.emplace_back();
      } else if (text == "true") {
        choice.words.push_back({"--" + name});
      } else {
        choice.words.push_back({"--" + name, text});
      }
    }
    choices_.push_back(std::move(choice));
  }

  void visit_seeds(ManifestJob& job, const std::function<void(const ManifestJob&)>& visit) const {
    if (!seeds_) return visit(job);
    job.command.insert(job.command.end(), {"--set", ""});
    for (std::int64_t seed = seeds_->first; seed <= seeds_->last; ++seed) {
      job.command.back() = fmt::format("seed={}", seed);
      visit(job);
      job.is_first_like = false;
    }
  }

  /// The next combination; the last choice changes first. False: all were there.
  bool advance(std::vector<std::size_t>& at) const {
    for (std::size_t i = choices_.size(); i-- > 0;) {
      if (++at[i] < choices_[i].words.size()) return true;
      at[i] = 0;
    }
    return false;
  }

  Place place_;
  std::string verb_;
  std::vector<std::string> inputs_;
  std::vector<Choice> choices_;
  std::optional<Seeds> seeds_;
  bool keeps_files_ = false;
};

}  // namespace

std::span<const std::string_view> batch_verbs() { return kVerbs; }

bool keeps_files_by_default(std::string_view verb) { return verb != "run" && verb != "compare"; }

bool parse_files(std::string_view text, const Place& place) {
  if (text == "all") return true;
  if (text == "metrics") return false;
  throw FileError(place, fmt::format("files: '{}' is not valid; all: keep every job's result folder, metrics: only its "
                                     "row of the table",
                                     text));
}

void for_each_job(const std::filesystem::path& manifest, const std::function<void(const ManifestJob&)>& visit) {
  const std::string ending = manifest.extension().string();
  if (ending == ".csv") return for_each_csv_job(manifest, visit);
  if (ending != ".yaml" && ending != ".yml") {
    throw FileError({manifest.string()}, "is not a manifest of jobs; a name that ends in .yaml or .csv is expected");
  }
  const YamlNode root = read_yaml(manifest);
  const YamlNode* jobs = root.find("jobs");
  if (jobs == nullptr || jobs->kind != YamlNode::Kind::list || jobs->items.empty()) {
    throw FileError({.file = manifest.string()},
                    "has no list `jobs`; e.g. `jobs: [{run: stand_coman, seeds: [1, 100]}]`");
  }
  for (const YamlEntry& entry : root.entries) {
    if (entry.key != "jobs") {
      throw FileError(entry.origin.place(),
                      fmt::format("unknown key '{}'; a manifest has the one key `jobs`", entry.key));
    }
  }
  std::vector<Entry> entries;  // all, before the first job: a mistake in the last entry is reported at once
  for (const YamlNode& node : jobs->items) entries.emplace_back(node);
  for (const Entry& entry : entries) entry.visit(visit);
}

}  // namespace aplomb
