#pragma once

#include <filesystem>

#include "aplomb/human/subject/subject_model.hpp"

namespace aplomb {

/// A subject as YAML: size of every segment, masses, markers. What is read back is what was written.
void write_subject(const SubjectModel& subject, const std::filesystem::path& file);  ///< throws FileError
SubjectModel read_subject(const std::filesystem::path& file);                        ///< throws FileError

}  // namespace aplomb
