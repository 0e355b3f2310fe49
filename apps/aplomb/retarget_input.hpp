#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/human/human_trial.hpp"

namespace aplomb {

/// A motion to retarget: a folder of `aplomb human`, or a recording.
struct MotionInput {
  std::filesystem::path path;
  std::string name;    ///< for its folder and its row; unique
  std::string sha256;  ///< of what is read
};

/// Recordings and folders as given; a folder that holds several trials or recordings stands for all of them, in the
/// order of their names. Throws FileError for what is neither, or empty.
std::vector<MotionInput> find_motions(const std::vector<std::string>& given);

/// Reads a trial, or analyses a recording as `aplomb human` would with nothing else given. Throws Error.
HumanTrial read_motion(const MotionInput& input);

}  // namespace aplomb
