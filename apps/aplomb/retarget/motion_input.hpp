#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/human_trial.hpp"
#include "shared/subject_request.hpp"

namespace aplomb {

/// A motion to retarget: a folder of `aplomb human`, or a recording.
struct MotionInput {
  std::filesystem::path path;
  std::string name;    ///< for its folder and its row; unique
  std::string sha256;  ///< of the files that are read
  std::optional<std::filesystem::path> forces;

  bool is_analysed() const;  ///< a folder of `aplomb human`
};

/// Recordings and folders as given; a folder that holds several trials or recordings stands for all of them, in the
/// order of their names. `forces` are the plates of the recordings, in the same order; a recording without gets the
/// file NAME_grf.mot beside it, when there is one. Throws FileError for what is neither, or empty.
std::vector<MotionInput> find_motions(const std::vector<std::string>& given, const std::vector<std::string>& forces);

/// Reads a trial, or analyses a recording as `aplomb human` would. Throws Error.
HumanTrial read_motion(const MotionInput& input, const SubjectRequest& person);

/// Throws InvalidValue when markers or force plates contradict the subject's model: the robot would follow a wrong
/// centre of mass exactly.
void require_matching_subject(const HumanTrial& trial, const std::string& path);

}  // namespace aplomb
