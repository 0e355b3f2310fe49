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
  std::string name;    ///< name of its folder and its table row; unique
  std::string sha256;  ///< checksum of the files that are read
  std::optional<std::filesystem::path> forces;

  bool is_analysed() const;  ///< whether it is a folder of `aplomb human`
};

/// Finds the given motions; a folder of several trials or recordings is replaced by all of them, sorted by name.
/// `forces` are the force files of the recordings, in the same order; a recording without one gets the file
/// NAME_grf.mot beside it, if there is one. Throws FileError for a path that is neither, and for an empty folder.
std::vector<MotionInput> find_motions(const std::vector<std::string>& given, const std::vector<std::string>& forces);

/// Reads a trial, or analyses a recording as `aplomb human` would. Throws Error.
HumanTrial read_motion(const MotionInput& input, const SubjectRequest& person);

/// Throws InvalidValue when markers or force plates contradict the subject's model: the robot would follow a wrong
/// centre of mass exactly.
void require_matching_subject(const HumanTrial& trial, const std::string& path);

}  // namespace aplomb
