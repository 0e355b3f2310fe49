#include "retarget_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/sha256.hpp"
#include "aplomb/demonstration/recording.hpp"
#include "aplomb/human/subject_builder.hpp"
#include "aplomb/human/trial_analysis.hpp"
#include "aplomb/human/trial_files.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

bool is_trial(const fs::path& path) { return fs::is_regular_file(path / "trial.yaml"); }

/// Files that can hold markers; plates alone (MOT, STO) are no motion.
bool is_motion(const fs::path& path) {
  const std::optional<RecordingFormat> format = recording_format(path);
  return fs::is_regular_file(path) && format && *format != RecordingFormat::mot;
}

/// What a folder without a trial of its own stands for.
std::vector<fs::path> contents(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_trial(entry.path()) || is_motion(entry.path())) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  if (found.empty()) {
    throw FileError({folder.string()},
                    "holds no motion: neither a trial of `aplomb human` nor a .c3d, .trc, .csv or "
                    ".bvh file");
  }
  return found;
}

}  // namespace

std::vector<MotionInput> find_motions(const std::vector<std::string>& given) {
  std::vector<fs::path> paths;
  for (const std::string& text : given) {
    const fs::path path = text;
    // A folder of many trials has the first one in itself as well: its subfolders are the whole.
    if (fs::is_directory(path)) {
      const auto inside = is_trial(path) ? std::vector<fs::path>{} : contents(path);
      if (inside.empty()) paths.push_back(path);
      paths.insert(paths.end(), inside.begin(), inside.end());
    } else if (is_motion(path) || !fs::exists(path)) {
      paths.push_back(path);  // one that is missing fails when it is read, and the others go on
    } else {
      throw FileError({text}, "is no motion: give a folder of `aplomb human`, or a .c3d, .trc, .csv or .bvh file");
    }
  }
  std::vector<MotionInput> motions;
  std::set<std::string> taken;
  for (const fs::path& path : paths) {
    const fs::path clean = path.filename().empty() ? path.parent_path() : path;
    const std::string stem = fs::is_directory(path) ? clean.filename().string() : clean.stem().string();
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", stem, i);
    const fs::path file = is_trial(path) ? path / "angles.mot" : path;
    motions.push_back({path, name, fs::exists(file) ? sha256_of_file(file) : std::string("missing")});
  }
  return motions;
}

HumanTrial read_motion(const MotionInput& input) {
  if (is_trial(input.path)) return read_trial(input.path);
  const Recording recording = read_recording(input.path, {});
  const Points* points = recording.points();
  if (points == nullptr) throw FileError({input.path.string()}, "has no markers");
  SubjectOptions options;
  options.sets = built_in_marker_sets();
  const SubjectOutcome built = build_subject(*points, nullptr, options);
  return analyse_trial(recording, recording.forces, built.scaling.subject, {}).trial();
}

}  // namespace aplomb
