#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shared/subject_request.hpp"

namespace aplomb {

/// A recording and, where they are in a file of their own, its forces.
struct TrialFiles {
  std::filesystem::path markers;
  std::optional<std::filesystem::path> forces;
};

/// One person of a people file: who it is, and the recordings.
struct PersonFiles {
  std::string name;
  SubjectRequest subject;
  std::vector<TrialFiles> trials;
};

/// Whether `aplomb human` was given a people file: one argument that ends in .yaml or .yml.
bool is_people_file(const std::vector<std::string>& trials);

/// Reads a people file; paths in it count from its folder. Throws FileError with line and column for an unknown key, a
/// value out of range, a name that is no folder's name or that two people have.
std::vector<PersonFiles> read_people(const std::filesystem::path& file);

}  // namespace aplomb
