#include "aplomb/recording/trial_recording.hpp"

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/input_files.hpp"

namespace aplomb {
namespace {

Recording read_even(const std::filesystem::path& file) {
  Recording recording = read_recording(file, {});
  if (recording.time_fault) throw FileError(*recording.time_fault);
  return recording;
}

}  // namespace

TrialRecording read_trial_recording(const std::filesystem::path& trial,
                                    const std::optional<std::filesystem::path>& forces) {
  TrialRecording files{.motion = read_even(trial), .forces = std::nullopt};
  if (!forces) return files;
  files.forces.emplace(read_even(*forces));
  if (files.forces->forces.plates.empty()) {
    throw FileError({forces->string()}, "has no force plates; `aplomb doctor` shows what is in it");
  }
  add_forces(files.motion, *files.forces, {});
  return files;
}

std::optional<std::filesystem::path> forces_beside(const std::filesystem::path& trial) {
  const std::filesystem::path beside = trial.parent_path() / (trial.stem().string() + "_grf.mot");
  note_input(beside);  // also when there is none
  return std::filesystem::is_regular_file(beside) ? std::optional(beside) : std::nullopt;
}

}  // namespace aplomb
