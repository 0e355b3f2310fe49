#include "retarget/motion_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

bool is_trial(const fs::path& path) { return fs::is_regular_file(path / "trial.yaml"); }

/// Whether a file may hold a motion; files with force plates alone (MOT, STO) do not.
bool is_motion(const fs::path& path) {
  const std::optional<RecordingFormat> format = recording_format(path);
  return fs::is_regular_file(path) && format && can_hold(*format, RecordingContent::motion);
}

/// The motions in a folder that is not itself a trial. Tables in a result of ours (log.csv) are no recordings.
std::vector<fs::path> contents(const fs::path& folder) {
  std::vector<fs::path> found;
  const bool is_result = fs::exists(folder / "metrics.json");
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_trial(entry.path()) || (!is_result && is_motion(entry.path()))) found.push_back(entry.path());
  }
  if (found.empty() && is_result) {
    throw FileError({folder.string()},
                    "is a result of aplomb without an analysed motion (trial.yaml); give a folder of `aplomb human`");
  }
  std::ranges::sort(found);
  if (found.empty()) {
    throw FileError({folder.string()},
                    fmt::format("contains no motion: neither a trial of `aplomb human` nor a recording ({})",
                                recording_extensions(RecordingContent::motion)));
  }
  return found;
}

std::vector<fs::path> find_paths(const std::vector<std::string>& given) {
  std::vector<fs::path> paths;
  for (const std::string& text : given) {
    const fs::path path = text;
    // A missing file fails later, when it is read, so that the others are still processed.
    if (is_trial(path) || is_motion(path) || !fs::exists(path)) {
      paths.push_back(path);
    } else if (fs::is_directory(path)) {
      const std::vector<fs::path> inside = contents(path);
      paths.insert(paths.end(), inside.begin(), inside.end());
    } else {
      throw FileError({text}, fmt::format("is not a motion; give a folder of `aplomb human`, or a recording ({})",
                                          recording_extensions(RecordingContent::motion)));
    }
  }
  return paths;
}

}  // namespace

bool MotionInput::is_analysed() const { return is_trial(path); }

std::vector<MotionInput> find_motions(const std::vector<std::string>& given, const std::vector<std::string>& forces) {
  std::vector<MotionInput> motions;
  std::set<std::string> taken;
  std::size_t recordings = 0;
  for (const fs::path& path : find_paths(given)) {
    const fs::path clean = path.filename().empty() ? path.parent_path() : path;
    const std::string stem = fs::is_directory(path) ? clean.filename().string() : clean.stem().string();
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", stem, i);
    const fs::path file = is_trial(path) ? path / "angles.mot" : path;
    MotionInput motion{path, name, fs::exists(file) ? sha256_of_file(file) : std::string("missing")};
    if (!is_trial(path)) {
      motion.forces = recordings < forces.size() ? std::optional<fs::path>(forces[recordings]) : forces_beside(path);
      if (motion.forces && fs::exists(*motion.forces)) motion.sha256 += " " + sha256_of_file(*motion.forces);
      ++recordings;
    }
    motions.push_back(motion);
  }
  if (forces.size() > recordings) {
    throw InvalidValue(
        fmt::format("{} force files for {} recordings; give one --forces for each recording, in the same order",
                    forces.size(), recordings));
  }
  return motions;
}

HumanTrial read_motion(const MotionInput& input, const SubjectRequest& person) {
  if (input.is_analysed()) {
    if (person.has_any()) {
      throw InvalidValue(fmt::format(
          "{} is already analysed; --model, --static, --mass and the other subject options are for recordings",
          input.path.string()));
    }
    return read_trial(input.path);
  }
  const TrialRecording recording = read_trial_recording(input.path, input.forces);
  return analyse(person, recording, AnalysisOptions().cutoff_hz);
}

void require_matching_subject(const HumanTrial& trial, const std::string& path) {
  const std::string reason = contradiction(trial);
  if (reason.empty()) return;
  throw InvalidValue(
      fmt::format("{}: {}; check recording and options with `aplomb human`, or give --force", path, reason));
}

}  // namespace aplomb
